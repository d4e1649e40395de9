import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { readAction } from '@kubeadmit/kyverno/unstable-internal';
import { all, member, not, relation, type Term } from '../cel/term.ts';
import type { Constraints } from '../match/constraints.ts';
import type { PolicyVariable } from './pod-template.ts';

/**
 * The variables that say whether the object of an update was denied before, too: Kyverno lets such updates
 * through. Undefined where it does not: in rules that only report, that have preconditions, or that
 * look at more than the object (`pkg/engine/handlers/validation`).
 */
export function violatedBefore(
  validations: readonly Term[],
  rule: JsonObject,
  policy: JsonObject,
  { conditions, resourceRules }: Constraints,
): readonly PolicyVariable[] | undefined {
  const validate = rule['validate'];
  const spec = policy['spec'];
  if (!isObject(validate) || !isObject(spec)) return undefined;
  const action = validate['failureAction'] ?? spec['validationFailureAction'];
  if (readAction(action) !== 'Enforce' || validate['allowExistingViolations'] === false)
    return undefined;
  if (rule['preconditions'] !== undefined) return undefined;
  const operations = resourceRules.flatMap((each) => each.operations);
  if (!operations.includes('UPDATE') || !operations.includes('CREATE')) return undefined;
  if (validations.some(({ text }) => /\boldObject\b/.test(text))) return undefined;
  const isUpdate = relation(member('request.operation'), '==', member("'UPDATE'"));
  // Exceptions are not evaluated for the old object.
  const wasMatched = conditions
    .filter(({ name }) => !name.startsWith('exception-'))
    .map(({ test }) => ofOldObject(byNobody(test)));
  const test = all([isUpdate, ...wasMatched, not(all(validations.map(ofOldObject)))]);
  return [{ name: 'violatedBefore', expression: test.text }];
}

// Kyverno evaluates the old object with placeholder values for the user and its groups.
function byNobody({ text, binds, denied }: Term): Term {
  const changed = outsideQuotes(text, (part) =>
    part
      .replaceAll('request.userInfo.username', "'kyverno:kyverno-invalid-controller'")
      .replaceAll('request.userInfo.groups', "['kyverno:invalidgroup']"),
  );
  return { text: changed, binds, ...(denied === undefined ? {} : { denied: byNobody(denied) }) };
}

/** The same of the old object; texts in quotes stay. */
function ofOldObject({ text, binds, denied }: Term): Term {
  const old = { text: oldText(text), binds };
  return denied === undefined ? old : { ...old, denied: ofOldObject(denied) };
}

/** An expression about `object` and its variables as one about `oldObject`. */
export function oldText(text: string): string {
  return outsideQuotes(text, (part) =>
    deletedText(part)
      .replaceAll('request.operation', "'CREATE'")
      .replace(/\bvariables\.(\w+)/g, (_, name: string) => `variables.${oldName(name)}`),
  );
}

/** An expression about `object` as one about the object that is deleted. */
export function deletedText(text: string): string {
  return outsideQuotes(text, (part) => part.replace(/(?<![.\w])object\b/g, 'oldObject'));
}

function outsideQuotes(text: string, change: (part: string) => string): string {
  return text
    .split(/('(?:[^'\\]|\\.)*')/)
    .map((part, at) => (at % 2 === 1 ? part : change(part)))
    .join('');
}

/** The name of the variable that holds the value of another variable for the old object. */
export function oldName(name: string): string {
  return `old${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}
