import type { FieldError, ObjectMeta } from '@kubeadmit/apimachinery';
import {
  duplicate,
  forbidden,
  invalid,
  notSupported,
  required,
  validateLabelSelector,
  validateObjectMeta,
} from '@kubeadmit/apimachinery/field-errors';
import { dns1123SubdomainProblems, pathSegmentProblems } from '@kubeadmit/apimachinery/names';
import type { BindingSpec, ParamRef, PolicyBinding } from './model.ts';
import { validateMatchResources, validateMutatingOperations } from './validate-match-resources.ts';
import { finishValidation, preparedMeta } from './validate-policy.ts';

const actions = ['Audit', 'Deny', 'Warn'];
/** The first minor version with generated rules for bindings. */
const firstWithDeclarative = 37;

/** How a binding is validated. */
export interface BindingValidation {
  /** The metadata of the stored binding, when this is an update. */
  readonly old: ObjectMeta | undefined;
  /** The minor version of the server's code. */
  readonly code: number;
  /** Whether it is read from the server's own disk, past the API. */
  readonly isStatic: boolean | undefined;
}

/** Validates a ValidatingAdmissionPolicyBinding, in kube-apiserver's order. */
export function validateValidatingBinding(
  binding: PolicyBinding,
  { old, code, isStatic }: BindingValidation,
): readonly FieldError[] {
  const spec = binding.spec ?? {};
  const meta = preparedMeta(binding.metadata, { old, isStatic });
  const errors = finishValidation(
    [
      ...validateHead(meta, spec),
      ...validateMatch(spec),
      ...validateActions(spec.validationActions ?? []),
    ],
    meta,
    { old, code, isStatic },
  );
  if (isStatic || code < firstWithDeclarative) return errors;
  // Generated rules report these again, after everything else.
  const declarative: FieldError[] = [];
  if ((spec.policyName ?? '') === '') declarative.push(required('spec.policyName'));
  if (!spec.validationActions?.length) declarative.push(required('spec.validationActions'));
  return [...errors.filter((error) => error.coveredByDeclarative !== true), ...declarative];
}

/** Validates a MutatingAdmissionPolicyBinding, in kube-apiserver's order. */
export function validateMutatingBinding(
  binding: PolicyBinding,
  { old, code, isStatic }: BindingValidation,
): readonly FieldError[] {
  const spec = binding.spec ?? {};
  const meta = preparedMeta(binding.metadata, { old, isStatic });
  const errors = [...validateHead(meta, spec), ...validateMatch(spec)].map((error) => ({
    ...error,
    coveredByDeclarative: false,
  }));
  if (spec.matchResources != null) {
    const operations = validateMutatingOperations(spec.matchResources, 'spec.matchResources');
    return finishValidation([...errors, ...operations], meta, { old, code, isStatic });
  }
  return finishValidation(errors, meta, { old, code, isStatic });
}

function validateHead(meta: ObjectMeta, spec: BindingSpec): FieldError[] {
  const errors = validateObjectMeta(meta, { nameRule: 'dns1123Subdomain', namespaced: false });
  const { policyName = '', paramRef } = spec;
  if (policyName === '') {
    errors.push({ ...required('spec.policyName'), coveredByDeclarative: true });
  } else {
    for (const text of dns1123SubdomainProblems(policyName)) {
      errors.push(invalid('spec.policyName', policyName, text));
    }
  }
  return paramRef == null ? errors : [...errors, ...validateParamRef(paramRef)];
}

function validateParamRef(paramRef: ParamRef): FieldError[] {
  const path = 'spec.paramRef';
  const exclusive = 'name and selector are mutually exclusive';
  const { name = '', selector, parameterNotFoundAction: action } = paramRef;
  const errors: FieldError[] = [];
  if (name !== '') {
    for (const text of pathSegmentProblems(name)) errors.push(invalid(`${path}.name`, name, text));
    if (selector != null) errors.push(forbidden(`${path}.name`, exclusive));
  }
  if (selector != null) {
    errors.push(...validateLabelSelector(selector, `${path}.selector`));
    if (name !== '') errors.push(forbidden(`${path}.selector`, exclusive));
  } else if (name === '') {
    errors.push(required(path, 'one of name or selector must be specified'));
  }
  if (action == null || action === '') {
    errors.push(required(`${path}.parameterNotFoundAction`));
  } else if (action !== 'Deny' && action !== 'Allow') {
    errors.push(notSupported(`${path}.parameterNotFoundAction`, action, ['Deny', 'Allow']));
  }
  return errors;
}

function validateMatch(spec: BindingSpec): FieldError[] {
  if (spec.matchResources == null) return [];
  return validateMatchResources(spec.matchResources, 'spec.matchResources');
}

function validateActions(values: readonly string[]): FieldError[] {
  const path = 'spec.validationActions';
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [i, action] of values.entries()) {
    if (!actions.includes(action)) errors.push(notSupported(`${path}[${i}]`, action, actions));
    if (seen.has(action)) errors.push(duplicate(`${path}[${i}]`, action));
    seen.add(action);
  }
  if (seen.has('Deny') && seen.has('Warn')) {
    const text =
      'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';
    errors.push(invalid(path, values, text));
  }
  if (seen.size === 0) {
    const text = 'at least one validation action is required';
    errors.push({ ...required(path, text), coveredByDeclarative: true });
  }
  return errors;
}
