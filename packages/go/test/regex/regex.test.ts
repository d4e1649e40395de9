import { expect, test } from 'vitest';
import { compileRegex, Regex, recentRegex } from '../../src/regex/regex.ts';

function compiled(pattern: string): Regex {
  const regex = compileRegex(pattern);
  if (!(regex instanceof Regex)) throw new Error(regex.error);
  return regex;
}

test.each([
  ['(', 'missing closing ): `(`'],
  ['[', 'missing closing ]: `[`'],
  ['\\', 'trailing backslash at end of expression: ``'],
  ['a**', 'invalid nested repetition operator: `**`'],
  ['a{1001}', 'invalid repeat count: `{1001}`'],
  ['(?=a)', 'invalid or unsupported Perl syntax: `(?=`'],
  ['(?P<n>a)(?P<n>b', 'missing closing ): `(?P<n>a)(?P<n>b`'],
])('%s is no pattern', (pattern, reason) => {
  expect(compileRegex(pattern)).toEqual({ error: `error parsing regexp: ${reason}` });
});

test('groups may share a name', () => {
  expect(compiled('(?P<n>a)(?P<n>b)').find('xab')).toBe('ab');
  expect(compiled('[(?P<n>](?<n>a)(?<n>b)').find('x(ab')).toBe('(ab');
});

test('empty matches are found as in Go', () => {
  expect(compiled('[0-9]*').findAll('123 abc 456', -1)).toEqual(['123', '', '', '', '', '456']);
  expect(compiled('').findAll('a😀', -1)).toEqual(['', '', '']);
  expect(compiled('x').findAll('a', -1)).toEqual([]);
  expect(compiled('.').findAll('a😀b', 2)).toEqual(['a', '😀']);
});

test('hostile patterns take no longer than others', () => {
  expect(compiled('^(a+)+$').test(`${'a'.repeat(50_000)}!`)).toBe(false);
});

test('recent patterns are compiled once', () => {
  expect(recentRegex('a+b')).toBe(recentRegex('a+b'));
});
