import type { PolicyTrace } from '@kubeadmit/admission/unstable-internal';

/** The labels of one mutation, as kube-apiserver counts it. */
export interface MutatingCheck {
  readonly policy: string;
  readonly policy_binding: string;
  readonly error_type: ErrorType;
}

/** The labels of one check of a validating policy, as kube-apiserver counts it. */
export interface ValidatingCheck extends MutatingCheck {
  readonly enforcement_action: 'allow' | 'deny' | 'warn' | 'audit';
}

type ErrorType = 'no_error' | 'compile_error' | 'out_of_budget' | 'invalid_error';

/** The enforcement action that metrics count for a false or failed expression, by the action of its binding. */
const enforcement: Readonly<Record<string, ValidatingCheck['enforcement_action']>> = {
  Deny: 'deny',
  Warn: 'warn',
  Audit: 'audit',
};

/**
 * The checks of a validating policy that kube-apiserver counts: one for each action of a failed validation,
 * and those whose errors were ignored (apiserver policy/validating/dispatcher.go).
 */
export function* validatingChecks(
  { policy, bindings }: PolicyTrace,
  actionsOf: (binding: string) => readonly string[],
): Generator<ValidatingCheck> {
  for (const { binding, evaluations } of bindings) {
    const names = { policy, policy_binding: binding };
    for (const { decisions = [] } of evaluations) {
      for (const { action, evaluation, message } of decisions) {
        if (evaluation === 'admitted') continue;
        const error_type = errorTypeOf(message);
        if (action === 'admit') yield { ...names, error_type, enforcement_action: 'allow' };
        else {
          for (const each of actionsOf(binding)) {
            yield { ...names, error_type, enforcement_action: enforcement[each] ?? 'deny' };
          }
        }
      }
    }
  }
}

/** The mutations of a policy, each of which kube-apiserver counts. */
export function* mutatingChecks({ policy, bindings }: PolicyTrace): Generator<MutatingCheck> {
  for (const { binding, evaluations } of bindings) {
    for (const { mutations = [] } of evaluations) {
      for (const mutation of mutations) {
        const error_type =
          mutation.outcome === 'error' ? errorTypeOf(mutation.message) : 'no_error';
        yield { policy, policy_binding: binding, error_type };
      }
    }
  }
}

function errorTypeOf(message: string): ErrorType {
  if (message.startsWith('compilation')) return 'compile_error';
  if (message.startsWith('validation failed due to running out of cost budget')) {
    return 'out_of_budget';
  }
  return 'invalid_error';
}
