import { isObject, type JsonObject, listOf, memberText, objectOf } from '@kubeadmit/apimachinery';
import { type Part, readOperations } from '../match/constraints.ts';
import { Unsupported } from '../notes/unsupported.ts';

/** The match conditions of a policy's webhook, which hold for all of its rules. */
export function webhookConditions({ spec }: JsonObject): readonly JsonObject[] {
  const configuration = objectOf(objectOf(spec)['webhookConfiguration']);
  return listOf(configuration['matchConditions']).filter(isObject);
}

/**
 * @throws Unsupported for a condition that asks whether there is an object: Kyverno evaluates the conditions once more, with
 * an object that has only `apiVersion` and `kind` in the place of an absent one.
 */
export function refuseAbsenceConditions(policy: JsonObject): void {
  const condition = webhookConditions(policy).find((each) =>
    /\b(?:object|oldObject)\s*[=!]=|[=!]=\s*(?:object|oldObject)\b(?!\s*[.[])/.test(
      memberText(each, 'expression'),
    ),
  );
  if (condition === undefined) return;
  throw new Unsupported(
    `the match condition \`${memberText(condition, 'name')}\` of the webhook compares a complete object: Kyverno never sees an absent one as null`,
    'compare `request.operation`',
  );
}

/** @throws Unsupported for a condition that reads the name or namespace of a deletion, which Kyverno takes from the object. */
export function refuseNamesOfDeletions(policy: JsonObject, parts: readonly Part[]): void {
  if (!parts.includes('deletions')) return;
  const condition = webhookConditions(policy).find((each) =>
    /\brequest\.name(?:space)?\b/.test(memberText(each, 'expression')),
  );
  if (condition === undefined) return;
  throw new Unsupported(
    `the match condition \`${memberText(condition, 'name')}\` of the webhook reads the name or namespace of the request, which Kyverno takes as empty for deletions`,
    'list `operations` in `match` without DELETE',
  );
}

/** The note about deletions that only the webhook of a rule rejects; undefined if there are none. */
export function rejectedDeletions(
  policy: JsonObject,
  { match }: JsonObject,
  parts: readonly Part[],
): string | undefined {
  const operations = readOperations(match);
  const isAsked = operations.length === 0 || operations.includes('DELETE');
  if (!isAsked || parts.includes('deletions')) return undefined;
  const condition = webhookConditions(policy).find((each) => {
    const text = memberText(each, 'expression');
    return /(?<!\.)\bobject\b/.test(text) && !/\bDELETE\b/.test(text);
  });
  if (condition === undefined) return undefined;
  return `the match condition \`${memberText(condition, 'name')}\` of the webhook reads \`object\`, so kube-apiserver rejects deletions; the result does not evaluate them; instead: list \`operations\` in \`match\` without DELETE`;
}
