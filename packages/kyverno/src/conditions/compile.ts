import { isObject } from '@kubeadmit/apimachinery';
import { withIntegers } from '../context/numbers.ts';
import { field } from '../fields/fields.ts';
import { Failure } from '../jmespath/steps/failure.ts';
import { type ConditionOperator, findOperator } from './operators.ts';

/** A condition ready to be evaluated. */
export interface Condition {
  readonly key: unknown;
  readonly value: unknown;
  /** Undefined for an operator that does not exist. */
  readonly operator: ConditionOperator | undefined;
  readonly message: string;
  /** The operator as spelled in the policy. */
  readonly operatorName: string;
}

/** A block of conditions: the two lists, or the old flat one. */
export type Conditions =
  | { readonly any?: readonly Condition[]; readonly all?: readonly Condition[] }
  | { readonly old: readonly Condition[] };

const malformed = new Failure('failed to unmarshal Conditions');

/** Reads the value of `preconditions` or `deny.conditions`; a `Failure` if it has neither form. */
export function compileConditions(source: unknown): Conditions | Failure {
  if (source === null || source === undefined) return {};
  const old = readList(source);
  if (old !== undefined) return { old };
  if (!isObject(source)) return malformed;
  const any = readOptionalList(field(source, 'any'));
  const all = readOptionalList(field(source, 'all'));
  if (any instanceof Failure || all instanceof Failure) return malformed;
  return { ...(any && { any }), ...(all && { all }) };
}

function readOptionalList(source: unknown): readonly Condition[] | undefined | Failure {
  return source === undefined ? undefined : (readList(source) ?? malformed);
}

function readList(source: unknown): readonly Condition[] | undefined {
  if (!Array.isArray(source)) return undefined;
  const conditions: Condition[] = [];
  for (const item of source) {
    const condition = readCondition(item);
    if (condition === undefined) return undefined;
    conditions.push(condition);
  }
  return conditions;
}

function readCondition(source: unknown): Condition | undefined {
  const object = source === null ? {} : source;
  if (!isObject(object)) return undefined;
  const operator = field(object, 'operator') ?? '';
  const message = field(object, 'message') ?? '';
  if (typeof operator !== 'string' || typeof message !== 'string') return undefined;
  return {
    key: readOperand(field(object, 'key')),
    value: readOperand(field(object, 'value')),
    operator: findOperator(operator),
    message,
    operatorName: operator,
  };
}

/** Numbers alone are doubles; inside lists and maps they keep the type in which they are written. */
function readOperand(value: unknown): unknown {
  if (value === undefined) return null;
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'object' ? withIntegers(value) : value;
}
