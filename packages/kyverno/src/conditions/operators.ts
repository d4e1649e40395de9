import type { Failure } from '../jmespath/steps/failure.ts';
import { equals } from './equals.ts';
import { durationIsOrdered, isOrdered, type OrderTest } from './ordering.ts';
import { isInOldSet, isInSet, type SetOperator } from './sets.ts';

/** Compares a key and a value; a `Failure` if they cannot be compared. */
export type ConditionOperator = (key: unknown, value: unknown) => boolean | Failure;

const orders: readonly (readonly [string, OrderTest])[] = [
  ['GreaterThanOrEquals', (order) => order >= 0],
  ['GreaterThan', (order) => order > 0],
  ['LessThanOrEquals', (order) => order <= 0],
  ['LessThan', (order) => order < 0],
];
const orderTests = new Map(orders);
const orderNames = new Set(orders.map(([name]) => name.toLowerCase()));
const setNames: ReadonlySet<string> = new Set(['anyin', 'allin', 'anynotin', 'allnotin']);

/**
 * The operator of a name, or undefined for one that does not exist.
 *
 * Case does not matter in finding it; operators of order that are not spelt exactly are never true, though.
 */
export function findOperator(name: string): ConditionOperator | undefined {
  const lower = name.toLowerCase();
  if (lower === 'equals' || lower === 'equal') return (key, value) => equals(key, value) === true;
  if (lower === 'notequals' || lower === 'notequal')
    return (key, value) => equals(key, value) === false;
  if (setNames.has(lower)) return (key, value) => isInSet(lower as SetOperator, key, value);
  if (lower === 'in' || lower === 'notin')
    return (key, value) => isInOldSet(lower === 'notin', key, value);
  if (orderNames.has(lower)) return ordered(isOrdered, orderTests.get(name));
  if (!lower.startsWith('duration') || !orderNames.has(lower.slice(8))) return undefined;
  return ordered(
    durationIsOrdered,
    name.startsWith('Duration') ? orderTests.get(name.slice(8)) : undefined,
  );
}

function ordered(compare: typeof isOrdered, test: OrderTest | undefined): ConditionOperator {
  return test === undefined ? () => false : (key, value) => compare(key, value, test);
}
