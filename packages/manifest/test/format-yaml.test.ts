import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { formatYaml, formatYamlParts } from '../src/index.ts';

type Members = Readonly<Record<string, unknown>>;

/** Values and the YAML in which kube-apiserver 1.37.1 answered them. */
const recorded = JSON.parse(
  readFileSync(new URL('server-yaml.json', import.meta.url), 'utf8'),
) as readonly { readonly value: unknown; readonly yaml: string }[];

describe('formatYaml writes the same YAML as kube-apiserver', () => {
  for (const { value, yaml } of recorded) {
    test(Object.keys(value as object).join(' '), () => {
      expect(formatYaml(value)).toBe(yaml);
      expect([...formatYamlParts(value as Members, 1)].join('')).toBe(yaml);
    });
  }
});

test('sorts keys with numbers in order, and does not indent lists', () => {
  const value = { b: [[1, []], { d: 1.5, c: [true] }], a10: null, a9: {}, A: [] };
  expect(formatYaml(value)).toBe(
    'A: []\na9: {}\na10: null\nb:\n- - 1\n  - []\n- c:\n  - true\n  d: 1.5\n',
  );
});

test('a long list is written in parts, whatever its items end with', () => {
  const ends = ['kept\n\n', 'line\n', 'a\nb', '', "it's", 'a b '.repeat(30), [], {}, null, 1];
  const items = Array.from({ length: 500 }, (_, i) => ({ name: `n-${i}`, z: ends[i % 10] }));
  for (const list of [{ kind: 'List', items, metadata: {} }, { items }, { items: ends }, {}]) {
    const parts = [...formatYamlParts(list, 1000)];
    expect(parts.join('')).toBe(formatYaml(list));
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(1500);
  }
});
