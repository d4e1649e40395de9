import type { ExpectedText } from '../format/expectation.ts';
import { expectedText, isAsExpected } from './text.ts';

const prefix = /^Validation failed for \w+ '[^']*' with binding '[^']*': /;

/** Where warnings are not those expected; each may be given with or without the server's words before it. */
export function compareWarnings(
  actual: readonly string[],
  expected: readonly ExpectedText[] | undefined,
): readonly string[] {
  if (expected === undefined) return [];
  const problems = expected.flatMap((wanted, at) => {
    const warning = actual[at];
    if (warning === undefined)
      return [`expected the warning ${expectedText(wanted)}, got only ${actual.length} warnings`];
    const isRight = [warning, warning.replace(prefix, '')].some((text) =>
      isAsExpected(text, wanted),
    );
    return isRight
      ? []
      : [`expected the warning ${expectedText(wanted)}, got ${JSON.stringify(warning)}`];
  });
  const more = actual
    .slice(expected.length)
    .map((text) => `unexpected warning: ${JSON.stringify(text)}`);
  return [...problems, ...more];
}
