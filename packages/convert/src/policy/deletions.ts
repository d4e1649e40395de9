import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { objectOf } from '@kubeadmit/apimachinery/internal';
import { stringifyJson } from '@kubeadmit/go/internal';
import { isOfConnections, type Part, readOperations } from '../match/constraints.ts';
import { Unsupported } from '../unsupported.ts';

/**
 * Whether a validate rule is about deletions, about other requests, or both. Kyverno asks every rule without
 * operations about deletions; here only those that speak of them are. Patterns are never compared with what is
 * deleted.
 *
 * @throws Unsupported for a pattern that is asked about deletions alone.
 */
export function partsOf(rule: JsonObject): readonly Part[] {
  const operations = readOperations(rule['match']);
  const validate = objectOf(rule['validate']);
  const isPattern = validate['deny'] === undefined && validate['foreach'] === undefined;
  const others = operations.length === 0 || operations.some((each) => each !== 'DELETE');
  if (isPattern && !others) throw new Unsupported('a pattern is never asked of deletions');
  const isNamed = operations.length === 0 ? speaksOfDeletions(rule) : operations.includes('DELETE');
  if (isPattern || !isNamed) return ['others'];
  return others ? ['others', 'deletions'] : ['deletions'];
}

/** Whether Kyverno asks a rule about deletions of which it does not speak, so that the result is not. */
export function leavesDeletions(rule: JsonObject): boolean {
  const validate = objectOf(rule['validate']);
  const isAsked = validate['deny'] !== undefined || validate['foreach'] !== undefined;
  if (!isAsked || readOperations(rule['match']).length > 0) return false;
  return (
    !speaksOfDeletions(rule) && !leavesOut(rule['preconditions']) && !isOfConnections(rule['match'])
  );
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
