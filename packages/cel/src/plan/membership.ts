import type { CallCost } from '../declarations/library.ts';
import { numberKind } from '../values/compare.ts';
import { makeDouble } from '../values/kind.ts';
import { CelMap, requireHashable } from '../values/map.ts';
import { Double, type PlainObject, Uint, type Value } from '../values/value.ts';
import { type Evaluate, isError } from './frame.ts';
import type { Operand } from './operator.ts';

/**
 * The test whether a value is in a list of constants, as a look-up instead of a search.
 *
 * `undefined` where the list has elements of other kinds than bool, number and string.
 */
export function constantSet(list: readonly Value[]): ((value: Value) => Value) | undefined {
  if (list.every((element) => typeof element === 'string')) {
    const texts = new Set<Value>(list);
    return (value) => (typeof value === 'string' ? texts.has(value) : notHashable(value));
  }
  const members = new CelMap();
  for (const element of list) {
    const kind = numberKind(element);
    if (kind === undefined && typeof element !== 'string' && typeof element !== 'boolean') {
      return undefined;
    }
    members.set(element, true);
    // A look-up finds ints by uints and the other way; doubles have to be entered too.
    if (kind === 'int') {
      members.set(makeDouble(Number(element)), true);
    } else if (element instanceof Uint) {
      members.set(makeDouble(Number(element.value)), true);
    } else if (element instanceof Double && Number.isSafeInteger(element.value)) {
      members.set(element.value + 0, true);
    }
  }
  return (value) => {
    notHashable(value);
    return !Number.isNaN(value) && members.get(value) !== undefined;
  };
}

/**
 * Plans `'key' in value` for a key that no object inherits; `evaluate` looks into all but plain objects.
 */
export function planKeyTest(
  key: string,
  { evaluate: container, path }: Operand,
  evaluate: (key: Value, container: Value) => Value,
  cost: CallCost,
): Evaluate {
  return (frame) => {
    const value = path === undefined ? container(frame) : path.read(frame);
    const result =
      typeof value === 'object' && value !== null && value.constructor === Object
        ? (value as PlainObject)[key] !== undefined
        : isError(value)
          ? value
          : evaluate(key, value);
    frame.charge(typeof cost === 'number' ? cost : cost(result, key, value));
    return result;
  };
}

/** False for all values, but for those for which cel-go panics. */
function notHashable(value: Value): false {
  requireHashable(value);
  return false;
}
