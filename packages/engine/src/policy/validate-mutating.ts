import type { FieldError } from '@kubeadmit/apimachinery';
import { invalid, notSupported, required } from '@kubeadmit/apimachinery/field-errors';
import { trimSpace } from '@kubeadmit/go';
import type { ExpressionResult } from './expression.ts';
import type { MutatingPolicy, MutatingSpec, Mutation } from './model.ts';
import { type ExpressionRole, validateExpression } from './validate-expressions.ts';
import { validateMutatingOperations } from './validate-match-resources.ts';
import { type PolicyValidation, validatePolicy } from './validate-policy.ts';

/** Validates a MutatingAdmissionPolicy that is created or, with `old`, updated; in kube-apiserver's order. */
export function validateMutatingPolicy(
  policy: MutatingPolicy,
  validation: PolicyValidation<MutatingSpec>,
): readonly FieldError[] {
  const spec = policy.spec ?? {};
  const { matchConstraints } = spec;
  return validatePolicy(policy, validation, {
    checker: validation.checkers.composing(),
    // Variables are never found among stored expressions.
    storedVariables: new Set(),
    matchConstraints:
      matchConstraints == null
        ? []
        : validateMutatingOperations(matchConstraints, 'spec.matchConstraints'),
    rest: ({ checker, scope }) => [
      ...validateMutations(spec, {
        checker,
        scope: { ...scope, patchTypes: true },
        // JSON patches too are looked up among the stored apply configurations.
        stored: new Set(
          (validation.old?.spec?.mutations ?? []).map(
            ({ applyConfiguration }) => applyConfiguration?.expression ?? '',
          ),
        ),
      }),
      ...validateReinvocation(spec),
    ],
  });
}

function validateMutations({ mutations }: MutatingSpec, role: ExpressionRole): FieldError[] {
  if (!mutations?.length) {
    return [required('spec.mutations', 'mutations must contain at least one item')];
  }
  return mutations.flatMap((mutation, i) =>
    validateMutation(mutation, `spec.mutations[${i}]`, role),
  );
}

function validateReinvocation({ reinvocationPolicy = '' }: MutatingSpec): FieldError[] {
  const path = 'spec.reinvocationPolicy';
  const allowed = ['IfNeeded', 'Never'];
  if (reinvocationPolicy === '') return [required(path)];
  if (allowed.includes(reinvocationPolicy)) return [];
  return [notSupported(path, reinvocationPolicy, allowed)];
}

function validateMutation(mutation: Mutation, at: string, role: ExpressionRole): FieldError[] {
  const { patchType = '' } = mutation;
  if (patchType === '') return [required(`${at}.patchType`)];
  if (patchType !== 'ApplyConfiguration' && patchType !== 'JSONPatch') {
    return [notSupported(`${at}.patchType`, patchType, ['ApplyConfiguration', 'JSONPatch'])];
  }
  const isJsonPatch = patchType === 'JSONPatch';
  const member = isJsonPatch ? 'jsonPatch' : 'applyConfiguration';
  const other = isJsonPatch ? 'applyConfiguration' : 'jsonPatch';
  const body = mutation[member];
  const errors =
    body == null
      ? [required(`${at}.${member}`, `must be specified when patchType is ${patchType}`)]
      : validatePatch(
          body.expression ?? '',
          `${at}.${member}.expression`,
          isJsonPatch ? 'jsonPatch' : 'object',
          role,
        );
  if (mutation[other] != null) {
    const text = `must not be specified when patchType is ${patchType}`;
    errors.push(invalid(`${at}.${other}`, `{${other}}`, text));
  }
  return errors;
}

function validatePatch(
  given: string,
  at: string,
  result: ExpressionResult,
  role: ExpressionRole,
): FieldError[] {
  const text = trimSpace(given);
  return text === '' ? [required(at)] : validateExpression(at, { text, given, result }, role);
}
