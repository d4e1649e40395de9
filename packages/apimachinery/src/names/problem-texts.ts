import { byteLength } from '@kubeadmit/go';

/** A pattern for names, with the message for names that do not match it. */
export interface NamePattern {
  readonly expression: RegExp;
  readonly problem: string;
}

/** Returns the problems of a name that must match a pattern and has a maximum length in bytes. */
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

/**
 * Returns the message for a name that is too long; older functions of apimachinery say characters where they count
 * bytes.
 */
export function tooLongProblem(limit: number, unit: 'bytes' | 'characters'): string {
  return `must be no more than ${limit} ${unit}`;
}
