import type { FieldError, KubernetesObject } from '@kubeadmit/apimachinery';
import { requireKind } from '@kubeadmit/apimachinery/unstable-internal';
import { type OptionKind, requireArgument, requireOptions } from '@kubeadmit/base';
import type { ExpressionCheckers } from './expression.ts';
import {
  type MutatingPolicy,
  type PolicyBinding,
  type PolicyKind,
  policyKinds,
  type ValidatingPolicy,
} from './model.ts';
import { validateMutatingBinding, validateValidatingBinding } from './validate-binding.ts';
import { validateMutatingPolicy } from './validate-mutating.ts';
import { validateValidatingPolicy } from './validate-validating.ts';

/** The dependencies of validating a policy or binding. */
export interface PolicyObjectValidation {
  /** The checkers of the expressions of each field. */
  readonly checkers: ExpressionCheckers;
  /** The stored object, when this is an update. */
  readonly old?: KubernetesObject | undefined;
  /** Whether it is read from the server's own disk, past the API; default false. */
  readonly isStatic?: boolean | undefined;
}

const optionKinds: Readonly<Record<keyof PolicyObjectValidation, OptionKind>> = {
  checkers: 'object',
  old: 'object',
  isStatic: 'boolean',
};

/**
 * Validates a policy or binding that is created or, with `old`, updated, in kube-apiserver's order. Objects have
 * the form of version v1, with their defaults.
 *
 * @throws TypeError if the object is not a policy or binding, or checkers are missing
 */
export function validatePolicyObject(
  kind: PolicyKind,
  object: KubernetesObject,
  validation: PolicyObjectValidation,
): readonly FieldError[] {
  requireKind('validatePolicyObject', { kind }, policyKinds);
  requireArgument('validatePolicyObject', object, { what: `a ${kind}` });
  requireOptions('validatePolicyObject', validation, optionKinds);
  requireArgument('validatePolicyObject', validation.checkers, {
    what: '`checkers`',
    has: 'plain',
  });
  const { checkers, old, isStatic } = validation;
  switch (kind) {
    case 'ValidatingAdmissionPolicy':
      return validateValidatingPolicy(object as ValidatingPolicy, {
        checkers,
        old: old as ValidatingPolicy | undefined,
        isStatic,
      });
    case 'MutatingAdmissionPolicy':
      return validateMutatingPolicy(object as MutatingPolicy, {
        checkers,
        old: old as MutatingPolicy | undefined,
        isStatic,
      });
    default: {
      const { code } = checkers;
      const change = { old: (old as PolicyBinding | undefined)?.metadata, code, isStatic };
      return kind === 'ValidatingAdmissionPolicyBinding'
        ? validateValidatingBinding(object as PolicyBinding, change)
        : validateMutatingBinding(object as PolicyBinding, change);
    }
  }
}
