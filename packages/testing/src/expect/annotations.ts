import type { ExpectedText } from '../format/expectation.ts';
import { expectedText, isAsExpected } from './text.ts';

/** Where audit annotations are not those expected; keys are the server's, or those of the policy. */
export function compareAnnotations(
  actual: Readonly<Record<string, string>>,
  expected: Readonly<Record<string, ExpectedText | null>> | undefined,
): readonly string[] {
  return Object.entries(expected ?? {}).flatMap(([key, wanted]) => {
    const values = Object.entries(actual)
      .filter(([name]) => name === key || name.endsWith(`/${key}`))
      .map(([, value]) => value);
    if (wanted === null) {
      return values.length === 0
        ? []
        : [`expected no audit annotation ${key}, got ${JSON.stringify(values[0])}`];
    }
    if (values.some((value) => isAsExpected(value, wanted))) return [];
    const there = Object.keys(actual).join(', ') || 'none';
    const found =
      values.length === 0
        ? `but it is missing (found: ${there})`
        : `got ${JSON.stringify(values[0])}`;
    return [`expected the audit annotation ${key} ${expectedText(wanted)}, ${found}`];
  });
}
