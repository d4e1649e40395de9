import { describe, expect, test } from 'vitest';
import { descriptionOf } from '../src/build/description.ts';

const sentence = 'How many replicas a Deployment may have depends on the environment of it.';

describe('descriptionOf', () => {
  test.each([
    ['the first paragraph', `# Title\n\n${sentence}\n\nMore.`, sentence],
    ['no front matter', `---\noutline: [2, 2]\n---\n\n# Title\n\n${sentence}`, sentence],
    ['no code', `# Title\n\n\`\`\`text\na\n\nb\n\`\`\`\n\n${sentence}`, sentence],
    [
      'plain words',
      `See [the **list**](/a) of \`has()\`:\n${sentence}`,
      `See the list of has(): ${sentence}`,
    ],
    [
      'more than a few words',
      `# Title\n\nShort.\n\n- an item\n\n${sentence}`,
      `Short. ${sentence}`,
    ],
    ['no sentence that introduces a list', `${sentence} These are the kinds:\n\n- a`, sentence],
    ['whole sentences', `${sentence} ${'And more '.repeat(30)}`, sentence],
    ['whole words', 'word '.repeat(60), `${'word '.repeat(31)}…`],
    ['nothing of pages without text', '# Title\n\n<Component />', undefined],
  ])('%s', (_, markdown, expected) => {
    expect(descriptionOf(markdown)).toBe(expected);
    expect((expected ?? '').length).toBeLessThanOrEqual(160);
  });
});
