import { type FieldError, invalid, notSupported, required } from '../rest/field-error.ts';
import { trimSpace } from '../rest/go-text.ts';
import { validateObjectMeta } from '../rest/object-meta.ts';
import type { ExpressionResult } from './expression.ts';
import type { MutatingPolicy, MutatingSpec, Mutation } from './model.ts';
import {
  type ExpressionRole,
  environmentOf,
  expressionError,
  validateVariables,
} from './validate-expressions.ts';
import { validateMutatingOperations } from './validate-match-resources.ts';
import {
  finishValidation,
  type PolicyValidation,
  preparedMeta,
  validateMatchConstraints,
  validatePolicyHead,
  validatePolicyMatchConditions,
} from './validate-policy.ts';

/**
 * What kube-apiserver finds wrong with a MutatingAdmissionPolicy that is created or, with `old`,
 * updated; in its order.
 */
export function validateMutatingPolicy(
  policy: MutatingPolicy,
  validation: PolicyValidation<MutatingSpec>,
): FieldError[] {
  const meta = preparedMeta(policy.metadata, validation.old?.metadata);
  const spec = policy.spec ?? {};
  const checker = validation.checkers.composing();
  const scope = { params: spec.paramKind != null, authorizer: true, patchTypes: false };
  const errors = [
    ...validateObjectMeta(meta, 'dns1123Subdomain'),
    ...validatePolicyHead(spec),
    ...validateMatchConstraints(spec),
  ];
  if (spec.matchConstraints != null) {
    errors.push(...validateMutatingOperations(spec.matchConstraints, 'spec.matchConstraints'));
  }
  errors.push(
    ...validatePolicyMatchConditions(spec, validation),
    // Variables are never found among stored expressions.
    ...validateVariables(spec.variables ?? [], { checker, scope, stored: new Set() }),
  );
  if (!spec.mutations?.length) {
    errors.push(required('spec.mutations', 'mutations must contain at least one item'));
  }
  const role: ExpressionRole = {
    checker,
    scope: { ...scope, patchTypes: true },
    // JSON patches too are looked up among the stored apply configurations.
    stored: new Set(
      (validation.old?.spec?.mutations ?? []).map(
        ({ applyConfiguration }) => applyConfiguration?.expression ?? '',
      ),
    ),
  };
  for (const [i, mutation] of (spec.mutations ?? []).entries()) {
    errors.push(...validateMutation(mutation, `spec.mutations[${i}]`, role));
  }
  const { reinvocationPolicy = '' } = spec;
  if (reinvocationPolicy === '') {
    errors.push(required('spec.reinvocationPolicy'));
  } else if (reinvocationPolicy !== 'IfNeeded' && reinvocationPolicy !== 'Never') {
    const allowed = ['IfNeeded', 'Never'];
    errors.push(notSupported('spec.reinvocationPolicy', reinvocationPolicy, allowed));
  }
  return finishValidation(errors, meta, validation.old?.metadata);
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
      : validateExpression(body.expression ?? '', `${at}.${member}.expression`, {
          ...role,
          result: isJsonPatch ? 'jsonPatch' : 'object',
        });
  if (mutation[other] != null) {
    const text = `must not be specified when patchType is ${patchType}`;
    errors.push(invalid(`${at}.${other}`, `{${other}}`, text));
  }
  return errors;
}

function validateExpression(
  expression: string,
  at: string,
  role: ExpressionRole & { readonly result: ExpressionResult },
): FieldError[] {
  const text = trimSpace(expression);
  if (text === '') return [required(at)];
  const { checker, scope, result } = role;
  const environment = environmentOf(role, expression);
  return expressionError(at, text, checker.check({ expression: text, scope, result, environment }));
}
