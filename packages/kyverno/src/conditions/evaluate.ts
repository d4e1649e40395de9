import type { JsonContext } from '../context/json-context.ts';
import { Failure } from '../jmespath/steps/failure.ts';
import type { ConditionStep, ConditionsRole } from '../trace/rule-trace.ts';
import { substitute } from '../variables/substitute.ts';
import type { Condition, Conditions } from './compile.ts';

/** The result of a block of conditions: its truth, and the messages of the deciding conditions. */
export interface ConditionsResult {
  readonly result: boolean;
  readonly message: string;
}

const none: readonly Condition[] = [];

/**
 * Evaluates a block of conditions over a context. Returns a `Failure` if the block is one, or if a failure stopped
 * it.
 *
 * @param role the role of the conditions, for observers.
 */
export function evaluateConditions(
  context: JsonContext,
  conditions: Conditions | Failure,
  role: ConditionsRole = 'preconditions',
): ConditionsResult | Failure {
  if (conditions instanceof Failure) return conditions;
  const { trace } = context;
  if (trace === undefined) return evaluateBlock(context, conditions);
  trace.open();
  const outcome = evaluateBlock(context, conditions);
  const found =
    outcome instanceof Failure ? { error: outcome.message } : { result: outcome.result };
  trace.close({ kind: 'conditions', role, ...found });
  return outcome;
}

function evaluateBlock(context: JsonContext, conditions: Conditions): ConditionsResult | Failure {
  return 'old' in conditions
    ? evaluateOld(context, conditions.old)
    : evaluateAnyAll(context, conditions.any, conditions.all ?? none);
}

function evaluateAnyAll(
  context: JsonContext,
  any: readonly Condition[] | undefined,
  all: readonly Condition[],
): ConditionsResult | Failure {
  let passed = '';
  let failed = '';
  /** Asks one condition after the other until one decides. */
  const decide = (list: readonly Condition[], name: 'any' | 'all'): boolean | Failure => {
    for (const condition of list) {
      const holds = evaluateCondition(context, condition, list, name);
      if (holds instanceof Failure) return holds;
      if (holds) passed = joined(passed, condition.message);
      else failed = joined(failed, condition.message);
      if (holds === (name === 'any')) return holds;
    }
    return name === 'all';
  };
  const anyHolds = any === undefined || decide(any, 'any');
  if (anyHolds instanceof Failure) return anyHolds;
  const allHold = decide(all, 'all');
  if (allHold instanceof Failure) return allHold;
  const result = anyHolds && allHold;
  return { result, message: result ? passed : failed };
}

function joined(messages: string, message: string): string {
  if (message === '') return messages;
  return messages === '' ? message : `${messages}; ${message}`;
}

function evaluateOld(
  context: JsonContext,
  conditions: readonly Condition[],
): ConditionsResult | Failure {
  for (const condition of conditions) {
    const holds = evaluateCondition(context, condition, conditions, 'old');
    if (holds instanceof Failure) return holds;
    if (!holds) return { result: false, message: condition.message };
  }
  const messages = conditions.map((condition) => condition.message);
  return { result: true, message: joinMessages(messages, ';') };
}

/** Messages with a separator between them, empty ones left out. */
export function joinMessages(messages: readonly string[], separator: string): string {
  return messages.filter((message) => message !== '').join(separator);
}

function evaluateCondition(
  context: JsonContext,
  condition: Condition,
  conditions: readonly Condition[],
  list: ConditionStep['list'],
): boolean | Failure {
  const { trace } = context;
  if (trace === undefined) return compare(context, condition);
  trace.open();
  const operands: Partial<Record<'key' | 'value', unknown>> = {};
  const outcome = compare(context, condition, operands);
  trace.close({
    kind: 'condition',
    list,
    index: conditions.indexOf(condition),
    operator: condition.operatorName,
    ...operands,
    ...(outcome instanceof Failure ? { error: outcome.message } : { result: outcome }),
  });
  return outcome;
}

function compare(
  context: JsonContext,
  condition: Condition,
  operands?: Partial<Record<'key' | 'value', unknown>>,
): boolean | Failure {
  const key = substitute(context, condition.key);
  if (key instanceof Failure) {
    return new Failure(`failed to substitute variables in condition key: ${key.message}`);
  }
  if (operands !== undefined) operands.key = key;
  const value = substitute(context, condition.value);
  if (value instanceof Failure) {
    return new Failure(`failed to substitute variables in condition value: ${value.message}`);
  }
  if (operands !== undefined) operands.value = value;
  if (condition.operator === undefined) {
    return new Failure('failed to create handler for condition operator: %!w(<nil>)');
  }
  return condition.operator(key, value);
}
