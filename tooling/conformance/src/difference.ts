import { field, isObject, type Json, printJson } from './json.ts';

/** One place where two values differ. */
export interface Difference {
  /** Where, such as `response.status.message`; empty for the whole. */
  readonly path: string;
  /** The recorded value, or `undefined` if there was none. */
  readonly expected: Json | undefined;
  /** The actual value, or `undefined` if there was none. */
  readonly actual: Json | undefined;
}

/** The places where two JSON values differ, in order; the order of keys does not count. */
export function differences(expected: Json, actual: Json, path = ''): Difference[] {
  if (isObject(expected) && isObject(actual)) {
    const keys = new Set([...Object.keys(expected), ...Object.keys(actual)]);
    return [...keys].flatMap((key) =>
      member(field(expected, key), field(actual, key), path === '' ? key : `${path}.${key}`),
    );
  }
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const length = Math.max(expected.length, actual.length);
    return Array.from({ length }, (_, index) => index).flatMap((index) =>
      member(expected[index], actual[index], `${path}[${index}]`),
    );
  }
  return Object.is(expected, actual) || expected === actual ? [] : [{ path, expected, actual }];
}

function member(expected: Json | undefined, actual: Json | undefined, path: string): Difference[] {
  if (expected === undefined || actual === undefined) {
    return expected === actual ? [] : [{ path, expected, actual }];
  }
  return differences(expected, actual, path);
}

/** A few lines that show the first differences, long values cut in the middle. */
export function describeDifferences(found: readonly Difference[], limit = 4): string {
  const lines = found
    .slice(0, limit)
    .flatMap(({ path, expected, actual }) => [
      `  ${path === '' ? '(answer)' : path}`,
      `    expected ${short(expected)}`,
      `    actual   ${short(actual)}`,
    ]);
  if (found.length > limit) lines.push(`  and ${found.length - limit} more`);
  return lines.join('\n');
}

const LONGEST = 400;

function short(value: Json | undefined): string {
  if (value === undefined) return 'nothing';
  const text = printJson(value);
  if (text.length <= LONGEST) return text;
  const half = LONGEST / 2;
  return `${text.slice(0, half)} … ${text.slice(-half)}`;
}
