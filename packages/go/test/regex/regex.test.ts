import { expect, test } from 'vitest';
import { GroupMachine } from '../../src/regex/group-machine.ts';
import { LinearMatcher } from '../../src/regex/linear-matcher.ts';
import { type ParsedRegex, parseRegex } from '../../src/regex/parse-regex.ts';
import { compileProgram } from '../../src/regex/program.ts';
import { compileRegex, Regex } from '../../src/regex/regex.ts';
import { recentFinder } from '../../src/regex/regex-finder.ts';
import cases from '../cases/regex.json' with { type: 'json' };

function compiled(pattern: string): Regex {
  const regex = compileRegex(pattern);
  if (!(regex instanceof Regex)) throw new Error(regex.error);
  return regex;
}

function compiledOrNone(pattern: string): ParsedRegex | undefined {
  try {
    return parseRegex(pattern);
  } catch {
    return undefined;
  }
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

test('a round that prefers to match nothing ends a repetition, as in Go', () => {
  expect(compiled('(?:a??){1,3}').findAll('aa', -1)).toEqual(['', '', '']);
  expect(compiled('(?:|a)?').find('a')).toBe('');
});

test('hostile patterns take no longer than others', () => {
  expect(compiled('^(a+)+$').test(`${'a'.repeat(50_000)}!`)).toBe(false);
});

test.each(['a*b|a', '(a*)b|(a)', '(?:a*b)?', '\\b(a)*b|a', 'a*?b|a'])(
  'consecutive matches of %s are found in linear time',
  (pattern) => {
    const text = 'a'.repeat(100_000);
    const start = performance.now();
    expect(compiled(pattern).findAll(text, -1).length).toBeGreaterThan(99_990);
    expect(compiled(pattern).replaceAll(text, '').length).toBeLessThan(100_001);
    expect(performance.now() - start).toBeLessThan(20_000);
  },
);

test('consecutive matches are the same when they are found in linear time', () => {
  for (const [pattern, given] of cases as [string, string, unknown][]) {
    const parsed = compiledOrNone(pattern);
    if (parsed === undefined) continue;
    // Several blocks of the table, with pairs of surrogates at their borders.
    for (const text of [given, `${given}\u{1f600}`.repeat(1100)]) {
      const program = compileProgram(parsed.node, true);
      const machine = new GroupMachine(program, parsed.names.length);
      const matcher = new LinearMatcher(program, text, 2 * parsed.names.length);
      for (let from = 0, round = 0; from <= text.length && round < 50; round++) {
        const slots = machine.match(text, from);
        expect([pattern, text.slice(0, 40), from, matcher.match(from)]).toEqual([
          ...[pattern, text.slice(0, 40), from],
          slots,
        ]);
        if (slots === undefined) break;
        from = Math.max(slots[1] ?? 0, from + ((text.codePointAt(from) ?? 0) > 0xffff ? 2 : 1));
      }
    }
  }
}, 60_000);

test('a long pattern that stands for itself is found at once, and as Go finds it', () => {
  const long = 'a'.repeat(50_000);
  expect(compiled(long).test(long)).toBe(true);
  expect(compiled(`${long}b`).findAll(long, -1)).toEqual([]);
  expect(compiled('aa').findAll('aaaaa', -1)).toEqual(['aa', 'aa']);
  expect(compiled('').findAll('é', -1)).toEqual(['', '']);
});

test('recent patterns are compiled once', () => {
  expect(recentFinder('a+b')).toBe(recentFinder('a+b'));
});

test('random patterns and texts have the same results as in Go', () => {
  for (const [pattern, text, answer] of cases as [string, string, string | string[]][]) {
    const regex = compileRegex(pattern);
    expect([pattern, text, 'error' in regex ? regex.error : regex.findAll(text, -1)]).toEqual([
      pattern,
      text,
      answer,
    ]);
    if (regex instanceof Regex) {
      expect([pattern, text, regex.test(text)]).toEqual([pattern, text, answer.length > 0]);
      expect([pattern, text, regex.find(text)]).toEqual([pattern, text, answer[0] ?? '']);
    }
  }
});

test.each([
  ['(a|a)*b', 'a'.repeat(30_000)],
  ['(a*)*b', 'a'.repeat(30_000)],
  ['\\b(a|aa)+$', `${'a'.repeat(30_000)}!`],
  ['(x+x+)+y', 'x'.repeat(30_000)],
])('%s takes time linear in the text', (pattern, text) => {
  const start = performance.now();
  expect(compiled(pattern).test(text)).toBe(false);
  expect(compiled(pattern).findAll(text, 3)).toEqual([]);
  // About 50 ms; with every possibility one after the other it would not end.
  expect(performance.now() - start).toBeLessThan(10_000);
});
