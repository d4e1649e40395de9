import { Random } from '@kubeadmit/random';
import { RE2JS } from 're2js';
import { describe, expect, test } from 'vitest';
import { isLinear } from '../../src/regex/effort.ts';
import { longestNativeText, nativeRegex } from '../../src/regex/native.ts';
import { parseRegex } from '../../src/regex/parse-regex.ts';
import { compileRegex, Regex } from '../../src/regex/regex.ts';
import cases from '../cases/native-regex.json' with { type: 'json' };

// JSON cannot hold them.
const surrogates = ['\ud83d', '\ude00'];

test.each(cases.native)('%s is matched natively, as by re2js', (pattern) => {
  const native = nativeRegex(parseRegex(pattern));
  expect(native).toBeDefined();
  const regex = RE2JS.compile(pattern);
  for (const text of [...cases.texts, ...surrogates]) {
    expect(native?.test(text), JSON.stringify(text)).toBe(regex.test(text));
  }
});

test.each(cases.slow)('%s could take too long', (pattern) => {
  const parsed = parseRegex(pattern);
  expect(isLinear(parsed.node)).toBe(false);
  expect(nativeRegex(parsed)).toBeUndefined();
});

test.each(cases.unread)('%s is not matched natively', (pattern) => {
  expect(nativeRegex(parseRegex(pattern))).toBeUndefined();
});

test.each(cases.refused)('%s is no pattern', (pattern) => {
  expect(() => parseRegex(pattern)).toThrow('error parsing regexp');
  expect(() => RE2JS.compile(pattern)).toThrow();
});

test('long texts are not matched natively', () => {
  const regex = compileRegex('^a*$');
  const text = 'a'.repeat(longestNativeText + 1);
  expect(regex instanceof Regex && regex.test(text)).toBe(true);
  expect(regex instanceof Regex && regex.test(`${text}b`)).toBe(false);
});

describe('random patterns', () => {
  const numbers = new Random(20);
  const random = (limit: number): number => numbers.below(limit);
  const pick = (list: readonly string[]): string => list[random(list.length)] ?? '';

  function part(depth: number): string {
    switch (depth === 0 ? 0 : random(6)) {
      case 0:
        return pick(cases.atoms);
      case 1:
        return `(${part(depth - 1)}|${part(depth - 1)})`;
      case 2:
      case 3:
        return (
          (random(2) === 0 ? `(${part(depth - 1)})` : pick(cases.atoms)) + pick(cases.repetitions)
        );
      default:
        return part(depth - 1) + part(depth - 1);
    }
  }

  const characters = [...cases.characters, ...surrogates];
  const patterns = Array.from({ length: 6000 }, () => {
    const flags = random(10) === 0 ? pick(['(?i)', '(?s)', '(?is)']) : '';
    return flags + (random(2) === 0 ? '^' : '') + part(4) + (random(2) === 0 ? '$' : '');
  });
  const read = patterns.flatMap((pattern) => {
    const regex = compileRegex(pattern);
    const native = regex instanceof Regex ? nativeRegex(parseRegex(pattern)) : undefined;
    return native === undefined ? [] : [{ pattern, native }];
  });

  test('those that are read are patterns to re2js too, and match the same texts', () => {
    expect(read.length).toBeGreaterThan(2000);
    for (const { pattern, native } of read) {
      const regex = RE2JS.compile(pattern);
      for (let round = 0; round < 10; round++) {
        const text = Array.from({ length: random(9) }, () => pick(characters)).join('');
        expect([pattern, text, native.test(text)]).toEqual([pattern, text, regex.test(text)]);
      }
    }
  });

  test('misleading texts take no longer than others', () => {
    const start = performance.now();
    for (const { native } of read.slice(0, 300)) {
      const unit = Array.from({ length: 1 + random(3) }, () =>
        pick(['a', 'b', 'k', '-', '.', '0']),
      ).join('');
      const text = unit.repeat(Math.floor((longestNativeText - 1) / unit.length));
      native.test(text + pick(['!', '\n', 'a', '.']));
    }
    // About 300 ms; a single one of quadratic time would take longer than that.
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});
