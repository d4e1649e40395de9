import { describe, expect, test } from 'vitest';
import { Environment } from '../src/index.ts';
import { optionalLibrary } from '../src/standard/optionals.ts';
import cases from './cases/limits.json' with { type: 'json' };

// How often each form may be nested or repeated, found by asking kube-apiserver's CEL.

interface Case {
  readonly name: string;
  readonly before: string;
  readonly middle: string;
  readonly after: string;
  readonly end: string;
  readonly allowed: number;
  /** The message for one more; absent if only the size is limited. */
  readonly message?: string;
}

const environment = new Environment({ libraries: [optionalLibrary] });

function issuesOf({ before, middle, after, end }: Case, count: number): readonly unknown[] {
  const text = `${before.repeat(count)}${middle}${after.repeat(count)}${end}`;
  return environment.parse(text).issues.map(({ code, message, line, column }) => ({
    code,
    message,
    line,
    column,
  }));
}

describe('macros', () => {
  test('that double their operand are expanded up to a limit', () => {
    const { issues } = environment.parse(`optional.of(1)${'.optMap(x, x)'.repeat(240)}`);
    const message = 'expression with its macros expanded exceeds limit: 200000 nodes';
    expect(issues).toMatchObject([{ code: 'limit', message, line: -1, column: -1 }]);
  });
});

describe('nesting', () => {
  test.each(cases as readonly Case[])('$name: $allowed', (one) => {
    expect(issuesOf(one, one.allowed)).toEqual([]);
    if (one.message !== undefined) {
      const issue = { code: 'limit', message: one.message, line: -1, column: -1 };
      expect(issuesOf(one, one.allowed + 1)).toEqual([issue]);
    }
  });

  test.each(['(', '[', '!(', '{1:', 'f(', 'a.b[', '-', '!', 'a?b:'])('100,000 times %s', (part) => {
    const text = part.repeat(Math.floor(100_000 / part.length));
    const start = performance.now();
    expect(environment.parse(text).issues).toHaveLength(1);
    expect(performance.now() - start).toBeLessThan(20_000);
  });
});

describe('size', () => {
  test.each([
    ['a', 100_000],
    // Counted in code points, of which each takes two units of UTF-16.
    ['😀', 99_998],
  ])('100,000 code points of %s', (character, count) => {
    const quoted = character === 'a' ? '' : '"';
    const text = `${quoted}${character.repeat(count)}${quoted}`;
    expect(environment.parse(text).issues).toEqual([]);
    expect(environment.parse(`${text} `).issues).toEqual([
      {
        code: 'limit',
        message: 'expression code point size exceeds limit: size: 100001, limit 100000',
        position: -1,
        line: -1,
        column: -1,
      },
    ]);
  });
});
