import { describe, expect, test } from 'vitest';
import { formatJson } from '../../src/json/format-json.ts';
import { findYamlProblem, readYaml } from '../../src/yaml/reader/read-yaml.ts';
import cases from '../cases/yaml.json' with { type: 'json' };

// The answers of sigs.k8s.io/yaml 1.6.0 with yaml.v2 2.4.4.

describe('rejects invalid YAML of yaml.v2', () => {
  test.each(cases.broken as [string, string][])('%j: %s', (text, error) => {
    expect(readYaml(text)).toEqual({ error });
  });

  const long = 'x'.repeat(1030);
  test.each([
    ['a key that is too long', `${long}: b`, 'mapping values are not allowed in this context'],
    ['one in quotes', `"${long}": b`, 'mapping values are not allowed in this context'],
    [
      'a character that is read together with what is before it',
      `${' '.repeat(500)}a: b: c\n\u0007`,
      'control characters are not allowed',
    ],
    [
      'one that is read later',
      `${'a: b\n'.repeat(120)}c: d: e\n${'f: g\n'.repeat(100)}\u0007`,
      'line 121: mapping values are not allowed in this context',
    ],
    ['flow collections deep within each other', '['.repeat(10_001), 'exceeded max depth of 10000'],
    ['block collections', '- '.repeat(10_001), 'exceeded max depth of 10000'],
  ])('%s', (_, text, problem) => {
    expect(readYaml(text)).toEqual({ error: `yaml: ${problem}` });
  });

  test.each([
    [[0x61, 0xff], 'invalid leading UTF-8 octet'],
    [[0x61, 0xe2, 0x80], 'incomplete UTF-8 octet sequence'],
    [[0x61, 0xe2, 0x28, 0xa1], 'invalid trailing UTF-8 octet'],
    [[0x61, 0xc0, 0x80], 'invalid length of a UTF-8 sequence'],
    [[0x61, 0xed, 0xa0, 0x80], 'invalid Unicode character'],
    [[0x61, 0xf5, 0x80, 0x80, 0x80], 'invalid Unicode character'],
    [[0x61, 0x07, 0xff], 'control characters are not allowed'],
    [[0x61, 0xff, 0x07], 'invalid leading UTF-8 octet'],
  ])('the bytes %j: %s', (bytes, problem) => {
    expect(readYaml(Uint8Array.from(bytes))).toEqual({ error: `yaml: ${problem}` });
  });

  test('the place of a mistake is known', () => {
    expect(findYamlProblem('a: b\nc: [d\ne: f')).toEqual({
      problem: "did not find expected ',' or ']'",
      offset: 12,
    });
    expect(findYamlProblem('a: b\nc: d\u0007')).toEqual({
      problem: 'control characters are not allowed',
      offset: 9,
    });
    expect(findYamlProblem('a: [b]')).toBeUndefined();
  });

  test('input that Kubernetes would read but that is too deep for the stack is refused', () => {
    const deep = `${'['.repeat(600)}${']'.repeat(600)}`;
    expect(readYaml(deep)).toEqual({ error: 'yaml: nested too deeply' });
    const aliases = Array.from({ length: 600 }, (_, at) => `a${at + 1}: &a${at + 1} [*a${at}]\n`);
    expect(readYaml(`a0: &a0 b\n${aliases.join('')}`)).toEqual({
      error: 'yaml: nested too deeply',
    });
  });
});

describe('YAML converted to JSON', () => {
  test.each(cases.read as [string, string][])('%j: %s', (text, json) => {
    const read = readYaml(text, { numbers });
    const value = 'value' in read ? read.value : read;
    expect(formatJson(value, { isSorted: true })).toBe(json);
  });
});

describe('keys that a mapping has twice', () => {
  test.each(cases.twice as [string, string[]][])('%j: %j', (text, findings) => {
    expect(readYaml(text)).toMatchObject({ findings });
  });
});

/** Numbers as they are written in JSON. */
const numbers = {
  parse: (text: string) => (/^-?[1-9]\d*$/.test(text) ? BigInt(text) : Number(text)),
  lossy: /\d/,
};
