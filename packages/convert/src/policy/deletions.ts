import { isObject, type JsonObject, listOf, objectOf } from '@kubeadmit/apimachinery';
import { stringifyJson } from '@kubeadmit/go';
import { isOfConnections, type Part, readOperations } from '../match/constraints.ts';
import { Unsupported } from '../notes/unsupported.ts';

/**
 * The requests that a validate rule decides: deletions, others, or both. Kyverno also evaluates `deny`, `foreach` and
 * `cel` on deletions if the rule names no operations; an idiomatic result does so only if the rule mentions them.
 * Kyverno never compares patterns with deleted objects.
 *
 * @throws Unsupported for a pattern that is evaluated on deletions alone.
 */
export function partsOf(rule: JsonObject, isIdiomatic: boolean): readonly Part[] {
  const operations = readOperations(rule['match']);
  const validate = objectOf(rule['validate']);
  const isPattern = !decidesDeletions(validate);
  const others = operations.length === 0 || operations.some((each) => each !== 'DELETE');
  if (isPattern && !others)
    throw new Unsupported('Kyverno does not compare patterns for DELETE requests');
  const isOpen = isIdiomatic ? speaksOfDeletions(rule) : isEvaluatedOnDeletions(rule);
  const isNamed = operations.length === 0 ? isOpen : operations.includes('DELETE');
  if (isPattern || !isNamed) return ['others'];
  return others ? ['others', 'deletions'] : ['deletions'];
}

/**
 * The entries of `foreach` that Kyverno evaluates on deletions: those over the old object. `request.object` has no elements
 * there, although variables in braces read the old object for it.
 */
export function deletionLoops({ foreach }: JsonObject): readonly JsonObject[] {
  return listOf(foreach)
    .filter(isObject)
    .filter(({ list }) => !/\brequest\.object\b/.test(String(list)));
}

function decidesDeletions(validate: JsonObject): boolean {
  const { deny, cel } = validate;
  return deny !== undefined || cel !== undefined || deletionLoops(validate).length > 0;
}

/** Whether Kyverno evaluates a rule on deletions, which an idiomatic result leaves out. */
export function leavesDeletions(rule: JsonObject): boolean {
  const validate = objectOf(rule['validate']);
  if (!decidesDeletions(validate) || readOperations(rule['match']).length > 0) return false;
  return !speaksOfDeletions(rule) && isEvaluatedOnDeletions(rule);
}

// Preconditions that exclude deletions, and connections, leave nothing to decide.
function isEvaluatedOnDeletions(rule: JsonObject): boolean {
  return !leavesOut(rule['preconditions']) && !isOfConnections(rule['match']);
}

function speaksOfDeletions({ preconditions, validate, context }: JsonObject): boolean {
  const text = stringifyJson([preconditions, validate, context]);
  return /\bDELETE\b/.test(text) && !leavesOut(preconditions);
}

const equal: ReadonlySet<string> = new Set(['equals', 'equal', 'in', 'anyin', 'allin']);
const unequal: ReadonlySet<string> = new Set([
  ...['notequals', 'notequal', 'notin', 'anynotin', 'allnotin'],
]);

// Conditions that all have to hold, of which one leaves deletions out.
function leavesOut(preconditions: unknown): boolean {
  const all = Array.isArray(preconditions)
    ? preconditions
    : isObject(preconditions)
      ? (preconditions['all'] ?? onlyOf(preconditions['any']))
      : [];
  return (Array.isArray(all) ? all.filter(isObject) : []).some(({ key, operator, value }) => {
    if (!/^\{\{\s*request\.operation\b[^}]*\}\}$/.test(String(key).trim())) return false;
    const kind = String(operator).toLowerCase();
    // A text equals no list.
    if (Array.isArray(value) && /^(?:not)?equals?$/.test(kind)) return equal.has(kind);
    const values = (Array.isArray(value) ? value : [value]).map(String);
    return values.includes('DELETE') ? unequal.has(kind) : equal.has(kind);
  });
}

function onlyOf(any: unknown): unknown {
  return Array.isArray(any) && any.length === 1 ? any : [];
}
