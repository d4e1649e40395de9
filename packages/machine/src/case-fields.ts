import { closest, didYouMean } from '@kubeadmit/base';
import { type Case, CaseFailure } from './case.ts';

/** The fields of a case. */
export interface CaseFields {
  readonly known: readonly string[];
  /** The required field. */
  readonly required?: string;
}

/** Fields of answers in recordings, which are not mistaken for misspelt fields. */
const answerFields: ReadonlySet<string> = new Set([
  ...['answer', 'error', 'errors', 'failure', 'object', 'objects', 'requested', 'response'],
  ...['result', 'type', 'typeChecking', 'valueType', 'cost', 'issues'],
]);

/**
 * Refuses a case without a required field or with a misspelt one: the answer would be about nothing. Other fields are
 * the responsibility of the author.
 *
 * @throws CaseFailure for such a case.
 */
export function requireFields(input: Case, { known, required }: CaseFields): void {
  for (const name of Object.keys(input)) {
    if (name === 'id' || known.includes(name) || answerFields.has(name)) continue;
    const meant = closest(
      name,
      known.filter((each) => !Object.hasOwn(input, each)),
    );
    if (meant === undefined) continue;
    throw new CaseFailure(`not a case: unknown field \`${name}\`${didYouMean(meant)}`);
  }
  if (required === undefined || (input[required] ?? undefined) !== undefined) return;
  throw new CaseFailure(`not a case: \`${required}\` is missing`);
}
