import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { Part, splitParts } from '../src/workspace/part.ts';
import type { OutlineNode } from '../src/yaml/nodes.ts';
import { yamlPositionAt } from '../src/yaml/position.ts';

// For valid YAML, the outline equals the result of the YAML parser, with every scalar as a string. Files with
// aliases are skipped.

const folder = new URL('../../../examples/', import.meta.url);
const files = readdirSync(folder, { recursive: true })
  .map(String)
  .filter((name) => /\.ya?ml$/.test(name))
  .filter((name) => !/: \*\w/.test(readFileSync(new URL(name, folder), 'utf8')));

test.each(files)('%s', (name) => {
  const text = readFileSync(new URL(name, folder), 'utf8');
  for (const partText of splitParts(text)) {
    const part = new Part(name, partText, 0, 0);
    const [document] = parseAllDocuments(partText, { schema: 'failsafe', version: '1.1' });
    const expected: unknown = document?.toJS() ?? null;
    expect(valueOf(part, part.outline) ?? null).toEqual(expected === '' ? null : expected);
  }
});

function valueOf(part: Part, node: OutlineNode | undefined): unknown {
  switch (node?.kind) {
    case 'scalar':
      return part.textOf(node);
    case 'list':
      return node.items.map(({ value }) => valueOf(part, value) ?? '');
    case 'map':
      return Object.fromEntries(
        node.entries.map(({ key, value }) => [key, valueOf(part, value) ?? '']),
      );
    default:
      return undefined;
  }
}

test.each([
  ['blanks behind a name', `a${' '.repeat(200_000)}b`],
  ['blanks behind a name with a colon', `a:b${' '.repeat(200_000)}c`],
  ['words', 'a '.repeat(100_000)],
  ['comments', `a: b${' # c'.repeat(100_000)} "`],
])('a line with many %s is read in time that grows with its length', (_name, text) => {
  const start = performance.now();
  const part = new Part('a.yaml', text, 0, 0);
  yamlPositionAt(text, part.outline, text.length);
  expect(performance.now() - start).toBeLessThan(2000);
});
