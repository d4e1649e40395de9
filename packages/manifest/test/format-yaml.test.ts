import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { formatYaml } from '../src/index.ts';

/** Values and the YAML in which kube-apiserver 1.37.1 answered them. */
const recorded = JSON.parse(
  readFileSync(new URL('server-yaml.json', import.meta.url), 'utf8'),
) as readonly { readonly value: unknown; readonly yaml: string }[];

describe('formatYaml writes what kube-apiserver does', () => {
  for (const { value, yaml } of recorded) {
    test(Object.keys(value as object).join(' '), () => {
      expect(formatYaml(value)).toBe(yaml);
    });
  }
});

test('keys are in order, numbers in them too, and lists are no deeper than their key', () => {
  const value = { b: [[1, []], { d: 1.5, c: [true] }], a10: null, a9: {}, A: [] };
  expect(formatYaml(value)).toBe(
    'A: []\na9: {}\na10: null\nb:\n- - 1\n  - []\n- c:\n  - true\n  d: 1.5\n',
  );
});
