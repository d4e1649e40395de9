import { byteLength } from '@kubeadmit/go/internal';

/** A pattern of names with what is said of those that do not fit. */
export interface NamePattern {
  readonly expression: RegExp;
  readonly problem: string;
}

/** What is wrong with a name of at most so many bytes that has to fit a pattern. */
export function patternProblems(
  name: string,
  { expression, problem }: NamePattern,
  limit: number,
  unit: 'bytes' | 'characters',
): string[] {
  // No unit of UTF-16 takes more than three bytes.
  const isTooLong = name.length * 3 > limit && byteLength(name) > limit;
  const problems = isTooLong ? [tooLongProblem(limit, unit)] : [];
  return expression.test(name) ? problems : [...problems, problem];
}

/** A pattern that the whole name has to fit, with the text of apimachinery `validation.RegexError`. */
export function namePattern(
  source: string,
  rule: string,
  examples: readonly string[],
): NamePattern {
  const listed = examples.map((example) => `'${example}', `).join(' or ');
  return {
    expression: new RegExp(`^(?:${source})$`),
    problem: `${rule} (e.g. ${listed}regex used for validation is '${source}')`,
  };
}

/** What is said of a name of too many bytes; apimachinery calls them characters in its older functions. */
export function tooLongProblem(limit: number, unit: 'bytes' | 'characters'): string {
  return `must be no more than ${limit} ${unit}`;
}
