import { expect, test } from 'vitest';
import { createLanguageService } from '../src/index.ts';
import { codeBlock, codeSpan, escapeMarkdown } from '../src/text/markdown.ts';

const hostile = [
  [
    '[Fix all](command:workbench.action.terminal.new)',
    '\\[Fix all\\](command:workbench.action.terminal.new)',
  ],
  ['![](https://tracker.example/a.png)', '\\!\\[\\](https://tracker.example/a.png)'],
  ['<img src="https://tracker.example">', '\\<img src="https://tracker.example"\\>'],
  ['<command:x>', '\\<command:x\\>'],
  ['a ` [b](command:c) d', 'a \\` \\[b\\](command:c) d'],
  ['`a\n[b](command:c)`', '\\`a\n\\[b\\](command:c)\\`'],
  ['\\`[b](command:c)\\`', '\\\\\\`\\[b\\](command:c)\\\\\\`'],
  ['[a]: command:b', '\\[a\\]: command:b'],
  ['```\ncode', '\\`\\`\\`\ncode'],
  ['title\n===', 'title\n\\==='],
  ['# a *b* _c_ **d** ~~e~~', '\\# a \\*b\\* \\_c\\_ \\*\\*d\\*\\* \\~\\~e\\~\\~'],
] as const;

test.each(hostile)('%j is escaped', (text, escaped) => {
  expect(escapeMarkdown(text)).toBe(escaped);
});

test.each(['Plain words, with a full stop.', 'One of `a[0]` and `b_c`.', '- first\n- second'])(
  '%j stays as it is',
  (text) => {
    expect(escapeMarkdown(text)).toBe(text);
  },
);

test('code ends at its own backticks only', () => {
  expect(codeSpan('a')).toBe('`a`');
  expect(codeSpan('a`` [b](command:c)\nd')).toBe('```a`` [b](command:c) d```');
  expect(codeSpan('`a')).toBe('`` `a ``');
  expect(codeBlock('a\n```\n[b](command:c)')).toBe('````cel\na\n```\n[b](command:c)\n````');
});

const definition = (description: string): string =>
  JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'queues.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Queue', plural: 'queues', singular: 'queue' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                spec: {
                  type: 'object',
                  properties: {
                    size: { type: 'string', description, enum: ['a` [b](command:c)'] },
                  },
                },
              },
            },
          },
        },
      ],
    },
  });

test.each(hostile)('descriptions of definitions are shown as text: %j', async (text) => {
  const service = await createLanguageService();
  service.setDocument('file:///crd.yaml', definition(text));
  service.setDocument(
    'file:///queue.yaml',
    'apiVersion: example.com/v1\nkind: Queue\nmetadata: {name: a}\nspec:\n  size: b\n',
  );
  const hover = await service.hover('file:///queue.yaml', { line: 4, character: 3 });
  const items = await service.completion('file:///queue.yaml', { line: 4, character: 4 });
  const shown = [
    hover?.contents.value,
    items.find(({ label }) => label === 'size')?.documentation?.value,
  ];
  for (const value of shown) expect(value).toContain(escapeMarkdown(text));
  // Outside of code no link, image or HTML is left.
  const outside = String(shown).replace(/(?<!\\)(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, '');
  expect(outside).not.toMatch(/(?<!\\)[[<]/);
});
