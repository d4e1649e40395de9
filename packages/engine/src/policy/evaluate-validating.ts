import { type Expected, requireArgument } from '@kubeadmit/base';
import type { Value } from '@kubeadmit/cel';
import type { GoFormOf } from '@kubeadmit/cel/unstable-internal';
import { byteLength, trimSpace } from '@kubeadmit/go';
import { requestBudget } from '../environment/limits.ts';
import type { CompiledValidatingPolicy } from './compile-policy.ts';
import {
  type ExpressionResultValue,
  evaluateGroup,
  type GroupResult,
  isAllTrue,
} from './expression-group.ts';
import { type ConditionsResult, evaluateMatchConditions } from './match-conditions.ts';
import type { Bindings } from './program.ts';

const messageLimit = 5 * 1024;

// The results of a group without expressions.
const nothing: GroupResult = { results: [], remainingBudget: 0 };

// Shared results are frozen, so that no caller can change the results of others.
const matched: ConditionsResult = Object.freeze({ outcome: 'match' });

const admitted: ValidationDecision = Object.freeze({
  action: 'admit',
  evaluation: 'admitted',
  message: '',
});

/** The decision of one validation about a request. */
export interface ValidationDecision {
  /** `deny` also for an error that the failure policy does not ignore. */
  readonly action: 'admit' | 'deny';
  /** How it came about; `denied` when the expression was false. */
  readonly evaluation: 'admitted' | 'denied' | 'error';
  /** The text of the denial or error; empty when admitted. */
  readonly message: string;
  /** The reason of the validation; `undefined` for errors. */
  readonly reason?: string;
}

// The result of most requests under most policies, created once for each number of validations.
const admissions: ValidatingResult[] = [];

function admissionOf(validations: number): ValidatingResult {
  const known = admissions[validations];
  if (known !== undefined) return known;
  const admission: ValidatingResult = Object.freeze({
    conditions: matched,
    decisions: Object.freeze(Array.from({ length: validations }, () => admitted)),
    auditAnnotations: Object.freeze([]),
  });
  admissions[validations] = admission;
  return admission;
}

/** Whether a result is the one of policies that let a request in, and say nothing else. */
export function isAdmission(result: ValidatingResult): boolean {
  return result === admissions[result.decisions.length];
}

/** The result of one audit annotation. */
export type AuditAnnotationResult =
  | { readonly action: 'publish'; readonly key: string; readonly value: string }
  | { readonly action: 'exclude'; readonly key: string }
  | { readonly action: 'error'; readonly key: string; readonly message: string };

/** The result of a policy for a request and one parameter. */
export interface ValidatingResult {
  /** The result of the match conditions. */
  readonly conditions: ConditionsResult;
  /** One for each validation; a single one when the evaluation as a whole failed. */
  readonly decisions: readonly ValidationDecision[];
  /** One for each of the policy. */
  readonly auditAnnotations: readonly AuditAnnotationResult[];
}

/** The variables of each group of expressions; created only for groups that contain expressions. */
export interface ValidatingBindings {
  readonly conditions: Bindings;
  readonly validations: Bindings;
  /** Without the authorizer. */
  readonly messages: Bindings;
  /** Without the authorizer, and with the whole namespace. */
  readonly auditAnnotations: Bindings;
  /** In which form of Go the server holds a list or map of the data; without it, all is JSON. */
  readonly formOf?: GoFormOf;
}

const validatingPolicy: Expected = {
  what: 'the result of `compileValidatingPolicy`',
  has: 'validationExpressions',
};
const validatingBindings: Expected = { what: 'bindings of each group', has: 'validations' };

/**
 * Evaluates a ValidatingAdmissionPolicy for one request, binding and parameter (apiserver
 * policy/validating/validator.go).
 *
 * @throws TypeError if the policy was not compiled, or the bindings are invalid
 */
export function evaluateValidatingPolicy(
  policy: CompiledValidatingPolicy,
  bindings: ValidatingBindings,
): ValidatingResult {
  const call = 'evaluateValidatingPolicy';
  requireArgument(call, policy, validatingPolicy);
  requireArgument(call, bindings, validatingBindings);
  const { failurePolicy, variables, messageExpressions, auditExpressions } = policy;
  const { formOf } = bindings;
  const conditions = conditionsOf(policy, bindings);
  if (conditions.outcome === 'error') return failed(conditions, failurePolicy, conditions.message);
  if (conditions.outcome !== 'match') return { conditions, decisions: [], auditAnnotations: [] };
  const validations = evaluateGroup(
    policy.validationExpressions,
    bindings.validations,
    variables,
    requestBudget,
    formOf,
  );
  if (validations.failure !== undefined) {
    return failed(conditions, failurePolicy, validations.failure);
  }
  const { results, remainingBudget } = validations;
  const isAdmitted = auditExpressions.length === 0 && isAllTrue(results);
  if (isAdmitted && messageExpressions.length === 0) return admissionOf(results.length);
  const messages =
    messageExpressions.length === 0
      ? nothing
      : evaluateGroup(messageExpressions, bindings.messages, variables, remainingBudget, formOf);
  const annotations =
    auditExpressions.length === 0
      ? nothing
      : evaluateGroup(
          auditExpressions,
          bindings.auditAnnotations,
          variables,
          requestBudget,
          formOf,
        );
  if (annotations.failure !== undefined) {
    return failed(conditions, failurePolicy, annotations.failure);
  }
  if (isAdmitted && messages.failure === undefined) return admissionOf(results.length);
  return {
    conditions,
    decisions: decisionsOf(policy, results, messages),
    auditAnnotations: annotations.results.map((result, i) =>
      auditAnnotation(policy.auditAnnotations[i]?.key ?? '', result, failurePolicy),
    ),
  };
}

function conditionsOf(
  { matchConditions, variables, failurePolicy }: CompiledValidatingPolicy,
  bindings: ValidatingBindings,
): ConditionsResult {
  if (matchConditions.length === 0) return matched;
  const { conditions, formOf } = bindings;
  return evaluateMatchConditions(matchConditions, conditions, variables, failurePolicy, formOf);
}

function decisionsOf(
  { failurePolicy, validations }: CompiledValidatingPolicy,
  results: readonly (ExpressionResultValue | undefined)[],
  messages: GroupResult,
): readonly ValidationDecision[] {
  return results.map((result, i): ValidationDecision => {
    if (result?.error !== undefined) return errorDecision(failurePolicy, result.error);
    if (messages.failure !== undefined) {
      return errorDecision(failurePolicy, `failed messageExpression: ${messages.failure}`);
    }
    if (result?.value === true) return admitted;
    const { message, expression, reason } = validations[i] ?? {};
    return {
      action: 'deny',
      evaluation: 'denied',
      message: messageOf(messages.results[i], message, expression),
      reason: reason ?? 'Invalid',
    };
  });
}

/** Returns the result of a policy that cannot be evaluated: its failure policy decides. */
export function failedEvaluation(failurePolicy: string, message: string): ValidatingResult {
  return failed({ outcome: 'error', message }, failurePolicy, message);
}

function failed(
  conditions: ConditionsResult,
  failurePolicy: string,
  message: string,
): ValidatingResult {
  return {
    conditions,
    decisions: [errorDecision(failurePolicy, message)],
    auditAnnotations: [],
  };
}

function errorDecision(failurePolicy: string, message: string): ValidationDecision {
  return { action: failurePolicy === 'Ignore' ? 'admit' : 'deny', evaluation: 'error', message };
}

function messageOf(
  computed: ExpressionResultValue | undefined,
  message: string = '',
  expression: string = '',
): string {
  const text = typeof computed?.value === 'string' ? trimSpace(computed.value) : '';
  if (text !== '' && byteLength(text) <= messageLimit && !text.includes('\n')) return text;
  const fixed = trimSpace(message);
  return fixed === '' ? `failed expression: ${trimSpace(expression)}` : fixed;
}

function auditAnnotation(
  key: string,
  result: ExpressionResultValue | undefined,
  failurePolicy: string,
): AuditAnnotationResult {
  if (result?.error !== undefined) {
    if (failurePolicy === 'Ignore') return { action: 'exclude', key };
    return { action: 'error', key, message: result.error };
  }
  const value: Value | undefined = result?.value;
  const text = typeof value === 'string' ? trimSpace(value) : '';
  return text === '' ? { action: 'exclude', key } : { action: 'publish', key, value: text };
}
