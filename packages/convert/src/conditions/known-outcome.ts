import { answerConditions } from '@kubeadmit/kyverno/unstable-internal';
import { Unsupported } from '../notes/unsupported.ts';
import { looksLikeJson } from './json-text.ts';

/** Whether a condition on two constants holds, as Kyverno's engine decides. */
export function constantOutcome(operator: string, key: unknown, value: unknown): boolean {
  const conditions = { all: [{ key, operator, value }] };
  const { result, error } = answerConditions({ context: {}, conditions } as never);
  if (error !== undefined) throw new Unsupported(`the condition fails with an error: ${error}`);
  return result === true;
}

/** The types of keys that operators distinguish. */
export type KeyType = 'text' | 'number' | 'map' | 'list';

const symbols = {
  GreaterThan: '>',
  GreaterThanOrEquals: '>=',
  LessThan: '<',
  LessThanOrEquals: '<=',
};

/** The comparison of each operator that orders values, by its name as Kyverno spells it. */
export const orders: ReadonlyMap<string, string> = new Map(
  Object.entries(symbols).flatMap(([name, symbol]) => [
    [name, symbol],
    [`Duration${name}`, symbol],
  ]),
);

const lowerCaseOrders: ReadonlySet<string> = new Set(
  [...orders.keys()].map((name) => name.toLowerCase()),
);

/** Whether an operator orders values, if the case of its letters is ignored. */
export function isOrder(operator: string): boolean {
  return lowerCaseOrders.has(operator.toLowerCase());
}

/**
 * The outcome of a condition that is the same for every key of a type, such as `AnyIn` of a text and a number; undefined
 * where it depends on the key.
 *
 * @throws Unsupported where texts are compared as numbers, which has no exact equal in CEL.
 */
export function outcomeByType(operator: string, key: KeyType, value: unknown): boolean | undefined {
  const name = operator.toLowerCase();
  const isNegated = /^not/.test(name);
  if (/^(?:not)?equals?$/.test(name)) return equalityByType(key, value) ? undefined : isNegated;
  if (isOrder(name)) return orderByType(name, key, value);
  return setByType(name, key, value);
}

// Whether `Equals` may hold at all.
function equalityByType(key: KeyType, value: unknown): boolean {
  switch (key) {
    case 'map':
      return typeOf(value) === 'map';
    case 'list':
      return typeOf(value) === 'list';
    case 'number':
      return (
        typeOf(value) === 'number' || (typeof value === 'string' && /^[+-]?\d{1,15}$/.test(value))
      );
    case 'text':
      if (typeOf(value) === 'number') throw textAsNumber();
      return typeof value === 'string';
  }
}

function orderByType(name: string, key: KeyType, value: unknown): boolean | undefined {
  if (key === 'map' || key === 'list') return false;
  const type = typeOf(value);
  if (type !== 'number' && type !== 'string') return false;
  if (key === 'number' && (type === 'number' || /^[+-]?\d{1,15}$/.test(String(value)))) {
    return name.startsWith('duration') && type === 'string' ? false : undefined;
  }
  if (key === 'number') throw new Unsupported('an order comparison of a number with a string');
  if (type === 'number') throw textAsNumber();
  return undefined;
}

function setByType(name: string, key: KeyType, value: unknown): boolean | undefined {
  if (key === 'map') return false;
  const type = typeOf(value);
  if (type === 'list') {
    // The old operators know lists of strings alone.
    const isOld = name === 'in' || name === 'notin';
    const areTexts = (value as readonly unknown[]).every((each) => typeof each === 'string');
    return key === 'list' && isOld && !areTexts ? false : undefined;
  }
  if (key === 'list') {
    if (type === 'string') {
      // Kyverno reads such a text as JSON.
      if (looksLikeJson(String(value)))
        throw new Unsupported('a list is searched in a JSON string');
      return undefined;
    }
    const isSingle = name.startsWith('any') && (type === 'number' || type === 'boolean');
    if (isSingle) throw new Unsupported('a list is searched in a number or boolean');
    return false;
  }
  return type === 'string' ? undefined : false;
}

function textAsNumber(): Unsupported {
  return new Unsupported(
    'a string is compared with a number, which Kyverno reads as seconds or parses',
    'write the value as a string',
  );
}

function typeOf(value: unknown): 'string' | 'number' | 'boolean' | 'list' | 'map' | 'null' {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'list';
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'boolean';
    case 'number':
    case 'bigint':
      return 'number';
    default:
      return 'map';
  }
}
