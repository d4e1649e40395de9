import type { KubernetesObject } from '@kubeadmit/apimachinery';
import type {
  AuditAnnotationResult,
  ConditionsResult,
  ValidationDecision,
} from '@kubeadmit/engine/unstable-internal';
import type { MatchReason } from '@kubeadmit/matcher';

/** Names a parameter; `undefined` where a policy or a binding has none. */
export interface ParameterName {
  /** Empty for objects without namespace. */
  readonly namespace: string;
  /** The name of the object. */
  readonly name: string;
}

export type MutationTrace = {
  /** The place in `spec.mutations`. */
  readonly mutation: number;
} & (
  | {
      readonly outcome: 'changed';
      /** The object before and after the mutation, with defaults. */
      readonly before: KubernetesObject;
      readonly after: KubernetesObject;
    }
  | { readonly outcome: 'unchanged' }
  | { readonly outcome: 'error'; readonly message: string }
);

/** How a policy was evaluated with one binding and parameter. */
export interface EvaluationTrace {
  readonly parameter: ParameterName | undefined;
  readonly conditions: ConditionsResult;
  /** One for each validation of a ValidatingAdmissionPolicy. */
  readonly decisions?: readonly ValidationDecision[];
  readonly auditAnnotations?: readonly AuditAnnotationResult[];
  /** One for each mutation of a MutatingAdmissionPolicy. */
  readonly mutations?: readonly MutationTrace[];
}

/** The result of one binding of a policy. */
export interface BindingTrace {
  readonly binding: string;
  readonly outcome: 'noMatch' | 'error' | 'evaluated';
  readonly reason: MatchReason | undefined;
  /** The text of an error that kept the binding from being evaluated. */
  readonly message?: string;
  readonly evaluations: readonly EvaluationTrace[];
}

/** The result of one policy in one pass; policies that cannot match the request have no trace. */
export interface PolicyTrace {
  readonly kind: 'ValidatingAdmissionPolicy' | 'MutatingAdmissionPolicy';
  readonly policy: string;
  /** `Fail` or `Ignore`: the effect of an error on the request. */
  readonly failurePolicy: string;
  /** 2 when mutating policies run once more; those that do nothing then are left out. */
  readonly pass: 1 | 2;
  readonly outcome: 'noMatch' | 'error' | 'evaluated';
  readonly reason: MatchReason | undefined;
  readonly message?: string;
  readonly bindings: readonly BindingTrace[];
}

/** The fields that the traces of all policies in one pass share. */
export type TraceHead = Pick<PolicyTrace, 'kind' | 'pass'>;

/** Makes the trace of a policy. */
export function policyTrace(
  { kind, pass }: TraceHead,
  { name, failurePolicy }: { readonly name: string; readonly failurePolicy: string },
  outcome: PolicyTrace['outcome'],
  reason: MatchReason,
  bindings: readonly BindingTrace[],
): PolicyTrace {
  // A literal, since spreading costs several times as much.
  return { kind, policy: name, failurePolicy, pass, outcome, reason, bindings };
}

/** Makes the trace of a binding. */
export function bindingTrace(
  { name }: { readonly name: string },
  outcome: BindingTrace['outcome'],
  reason: MatchReason | undefined,
  evaluations: readonly EvaluationTrace[],
): BindingTrace {
  return { binding: name, outcome, reason, evaluations };
}
