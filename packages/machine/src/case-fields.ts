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
 * Refuses a case that forgets what it is about, or in which a field is misspelt: it would be answered as if nothing was
 * asked. Other fields are the affair of who writes the case.
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
