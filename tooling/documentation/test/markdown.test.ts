import { describe, expect, test } from 'vitest';
import { blocksOf, commandsOf } from '../src/markdown.ts';

const MARKDOWN = `text

\`\`\`console
$ one --flag
a

b
$ two
\`\`\`

\`\`\`ts [one.ts]
const x = 1;
\`\`\`
`;

describe('blocksOf', () => {
  test('finds every fenced block with its language and line', () => {
    expect(blocksOf(MARKDOWN)).toEqual([
      { language: 'console', line: 3, text: '$ one --flag\na\n\nb\n$ two\n' },
      { language: 'ts', file: 'one.ts', line: 11, text: 'const x = 1;\n' },
    ]);
  });
});

describe('commandsOf', () => {
  test('assigns each command its output', () => {
    const [block] = blocksOf(MARKDOWN);
    expect(block && commandsOf(block)).toEqual([
      { command: 'one --flag', output: 'a\n\nb' },
      { command: 'two', output: '' },
    ]);
  });

  test('refuses output without a command', () => {
    expect(() => commandsOf({ language: 'console', line: 7, text: 'a\n$ b\n' })).toThrow('line 7');
  });
});
