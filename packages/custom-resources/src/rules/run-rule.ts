import { CelError, type Evaluation, Optional, type Value } from '@kubeadmit/cel';
import { perCallLimit } from '@kubeadmit/engine';
import {
  type EvaluationWithValues,
  evaluateObserved,
  outOfBudget,
} from '@kubeadmit/engine/unstable-internal';
import { byteLength, quote, trimSpace } from '@kubeadmit/go';
import { ErrorLimit, tooManyErrors } from '../schema/error-limit.ts';
import { childPath, type Finding, internalError, invalid } from '../schema/finding.ts';
import type { CompiledExpression, CompiledRule } from './compile-rule.ts';
import { isSameAsBefore, type Ratchet } from './ratchet.ts';
import type { Rule } from './rule.ts';
import { reasoned, ruleText } from './rule-finding.ts';

/** The findings of rules, and the remaining budget; less than 0 if nothing more may run. */
export interface RuleOutcome {
  readonly findings: readonly Finding[];
  readonly budget: number;
}

/** One evaluation of a rule or of its message. */
export interface ObservedRule extends EvaluationWithValues {
  /** The position of the expression in the schema: `properties[spec].x-kubernetes-validations[0].rule`. */
  readonly place: string;
  /** The value that it is about, `spec.parts[0]`; empty for the whole object. */
  readonly path: string;
}

/** Receives every evaluation of a rule. */
export type ObserveRule = (evaluation: ObservedRule) => void;

/** Listeners for events while rules run. */
export interface RuleListeners {
  readonly observe?: ObserveRule | undefined;
  /** Receives violations by unchanged values, about which kube-apiserver warns. */
  readonly forgive?: ((finding: Finding) => void) | undefined;
}

const limits = { costLimit: perCallLimit };
const longestMessage = 5120;

/** A rule with its place, ready to be run. */
export interface PlacedRule {
  readonly rule: Rule;
  readonly compiled: CompiledRule;
  /** The position in the complete schema: `properties[spec].x-kubernetes-validations[0]`. */
  readonly place: string;
}

/** A rule and the value that it is evaluated for. */
export interface RuleRun extends PlacedRule {
  /** The type of the value in the schema. */
  readonly type: string;
  readonly path: string;
  readonly value: unknown;
  readonly self: Value;
  readonly oldSelf: Value | undefined;
  readonly ratchet: Ratchet;
}

/** The findings so far in a value and everything inside it. */
export class Run implements RuleOutcome {
  readonly findings: Finding[] = [];
  budget: number;
  readonly #listeners: RuleListeners;
  readonly #limit: ErrorLimit = new ErrorLimit();

  constructor(budget: number, listeners: RuleListeners) {
    this.budget = budget;
    this.#listeners = listeners;
  }

  /** Evaluates a field of a rule, and reports it to an observer. */
  evaluate(
    { program, checked, watched }: CompiledExpression,
    { place, path }: RuleRun,
    field: 'rule' | 'messageExpression',
    variables: Readonly<Record<string, Value | undefined>>,
  ): Evaluation {
    const { observe } = this.#listeners;
    if (observe === undefined) return program.evaluate(variables, limits);
    const evaluation = evaluateObserved(watched(), checked, variables, limits);
    observe({ ...evaluation, place: `${place}.${field}`, path });
    return evaluation;
  }

  add(finding: Finding): void {
    this.#limit.count(finding.body);
    this.findings.push(finding);
    if (this.#limit.isReached) this.end(invalid('', null, tooManyErrors));
  }

  addOrForgive(finding: Finding, isForgiven: boolean): void {
    if (isForgiven) this.#listeners.forgive?.(finding);
    else this.add(finding);
  }

  end(finding: Finding): void {
    this.findings.push(finding);
    this.budget = -1;
  }
}

/** Evaluates one rule on a value, and adds its failures to the run. */
export function runRule(run: Run, given: RuleRun): void {
  const { path, value, rule, compiled, self, oldSelf, ratchet, type } = given;
  const before =
    rule.optionalOldSelf === true
      ? oldSelf === undefined
        ? Optional.none
        : new Optional(oldSelf)
      : oldSelf;
  const expression = compiled.expression as CompiledExpression;
  const result = run.evaluate(expression, given, 'rule', { self, oldSelf: before });
  if (result.cost > run.budget) {
    run.end(invalid(path, type, outOfBudget));
    return;
  }
  run.budget -= result.cost;
  if (result.value instanceof CelError) {
    const { message } = result.value;
    const text = ruleText(rule);
    if (message.startsWith('no such overload')) {
      run.add(
        invalid(
          path,
          type,
          `'${message}': call arguments did not match a supported operator, function or macro signature for rule: ${text}`,
        ),
      );
    } else if (message.startsWith('operation cancelled: actual cost limit exceeded')) {
      run.end(
        invalid(
          path,
          type,
          `'${message}': no further validation rules will be run due to call cost exceeds limit for rule: ${text}`,
        ),
      );
    } else run.add(invalid(path, type, `${message} evaluating rule: ${text}`));
    return;
  }
  if (result.value === true) return;
  const place = compiled.fieldPath === '' ? path : childPath(path, compiled.fieldPath);
  const isForgiven = !compiled.usesOldSelf && isSameAsBefore(ratchet);
  const add = (finding: Finding): void => run.addOrForgive(finding, isForgiven);
  const message = messageOf(run, given);
  if ('fatal' in message) {
    const { fatal } = message;
    add(fatal.isInternal ? internalError(place, fatal.text) : invalid(place, type, fatal.text));
    run.budget = -1;
    return;
  }
  add(reasoned(place, type, value, message.text, rule.reason));
}

function messageOf(
  run: Run,
  given: RuleRun,
):
  | { readonly text: string }
  | { readonly fatal: { readonly text: string; readonly isInternal: boolean } } {
  const { rule, self, oldSelf } = given;
  const { message } = given.compiled;
  const fallback = {
    text: rule.message === '' ? `failed rule: ${ruleText(rule)}` : trimSpace(rule.message),
  };
  if (!message) return fallback;
  const { value, cost } = run.evaluate(message, given, 'messageExpression', { self, oldSelf });
  const fatal = (text: string): { fatal: { text: string; isInternal: boolean } } => ({
    fatal: { text, isInternal: false },
  });
  if (cost > run.budget) {
    return fatal(
      'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run',
    );
  }
  if (value instanceof CelError) {
    if (value.message.startsWith('operation cancelled: actual cost limit exceeded')) {
      return fatal(
        `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${quote(rule.messageExpression)}`,
      );
    }
    run.budget -= cost;
    return fallback;
  }
  run.budget -= cost;
  const text = typeof value === 'string' ? trimSpace(value) : '';
  const isUsable = text !== '' && byteLength(text) <= longestMessage && !text.includes('\n');
  return isUsable ? { text } : fallback;
}
