import type { FieldError, ObjectMeta } from '@kubeadmit/apimachinery';
import {
  invalid,
  notSupported,
  required,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '@kubeadmit/apimachinery/field-errors';
import { dns1035LabelProblems, dns1123SubdomainProblems } from '@kubeadmit/apimachinery/names';
import { deepEqual } from '@kubeadmit/go';
import { newestMinor } from '../environment/versions.ts';
import { asWordedBy } from './earlier-texts.ts';
import type { ExpressionChecker, ExpressionCheckers } from './expression.ts';
import type { ParamKind, PolicyObject, PolicySpec } from './model.ts';
import {
  type ExpressionRole,
  validateMatchConditions,
  validateVariables,
} from './validate-expressions.ts';
import { validateMatchResources } from './validate-match-resources.ts';

/** The suffix of the names of static policies, which servers read from their own disk. */
export const staticSuffix = '.static.k8s.io';
/** The first minor version that reserves names for manifests on the server's disk. */
const firstWithStatic = 37;

/** The operation to validate: a creation, or an update of an object whose metadata is `old`. */
export interface ValidatedChange {
  readonly old: ObjectMeta | undefined;
  /** The minor version of the server's code; default the newest. */
  readonly code?: number | undefined;
  /**
   * Whether the policy is read from the server's own disk, bypassing the API and its rules for names (default:
   * false).
   */
  readonly isStatic?: boolean | undefined;
}

/** The dependencies of validating a policy. */
export interface PolicyValidation<Spec> {
  readonly checkers: ExpressionCheckers;
  /** The stored policy, when this is an update. */
  readonly old: { readonly metadata?: ObjectMeta; readonly spec?: Spec } | undefined;
  /** See {@link ValidatedChange.isStatic}. */
  readonly isStatic: boolean | undefined;
}

/** The validation that differs between kinds of policies. */
export interface OwnValidation {
  /** The checker of everything but match conditions. */
  readonly checker: ExpressionChecker;
  /** Among which stored texts variables are looked for. */
  readonly storedVariables: ReadonlySet<string>;
  /** Field errors of `spec.matchConstraints` in addition to the common ones. */
  readonly matchConstraints?: readonly FieldError[];
  /** Findings about the parts after the variables. */
  rest(role: Omit<ExpressionRole, 'stored'>, meta: ObjectMeta): readonly FieldError[];
}

/** Validates a policy, in kube-apiserver's order. */
export function validatePolicy<Spec extends PolicySpec>(
  policy: PolicyObject<Spec>,
  validation: PolicyValidation<Spec>,
  own: OwnValidation,
): readonly FieldError[] {
  const { code } = validation.checkers;
  const change = { old: validation.old?.metadata, code, isStatic: validation.isStatic };
  const meta = preparedMeta(policy.metadata, change);
  const spec: PolicySpec = policy.spec ?? {};
  const role = {
    checker: own.checker,
    scope: { params: spec.paramKind != null, authorizer: true, patchTypes: false },
  };
  const errors = [
    ...validateObjectMeta(meta, { nameRule: 'dns1123Subdomain', namespaced: false }),
    ...validatePolicyHead(spec),
    ...validateMatchConstraints(spec),
    ...(own.matchConstraints ?? []),
    ...validatePolicyMatchConditions(spec, validation),
    ...validateVariables(spec.variables ?? [], { ...role, stored: own.storedVariables }),
    ...own.rest(role, meta),
  ];
  return finishValidation(errors, meta, change);
}

// `spec.failurePolicy` and `spec.paramKind`.
function validatePolicyHead(spec: PolicySpec): FieldError[] {
  const errors: FieldError[] = [];
  if (spec.failurePolicy == null) {
    errors.push(required('spec.failurePolicy'));
  } else if (spec.failurePolicy !== 'Fail' && spec.failurePolicy !== 'Ignore') {
    errors.push(notSupported('spec.failurePolicy', spec.failurePolicy, ['Fail', 'Ignore']));
  }
  if (spec.paramKind != null) errors.push(...validateParamKind(spec.paramKind));
  return errors;
}

function validateParamKind({ apiVersion = '', kind = '' }: ParamKind): FieldError[] {
  const errors: FieldError[] = [];
  const at = 'spec.paramKind.apiVersion';
  const parts = apiVersion === '/' ? ['', ''] : apiVersion.split('/');
  if (apiVersion === '') {
    errors.push(required(at));
  } else if (parts.length > 2) {
    errors.push(invalid(at, apiVersion, `unexpected GroupVersion string: ${apiVersion}`));
  } else {
    const group = parts.length === 2 ? (parts[0] ?? '') : '';
    const version = parts[parts.length - 1] ?? '';
    const groupProblems = group === '' ? [] : dns1123SubdomainProblems(group);
    if (groupProblems.length > 0) errors.push(invalid(at, group, groupProblems.join(',')));
    const versionProblems = dns1035LabelProblems(version);
    if (version === '') errors.push(invalid(at, apiVersion, 'version must be specified'));
    else if (versionProblems.length > 0) {
      errors.push(invalid(at, version, versionProblems.join(',')));
    }
  }
  const kindProblems = dns1035LabelProblems(kind.toLowerCase());
  if (kind === '') {
    errors.push(required('spec.paramKind.kind'));
  } else if (kindProblems.length > 0) {
    const text = `may have mixed case, but should otherwise match: ${kindProblems.join(',')}`;
    errors.push(invalid('spec.paramKind.kind', kind, text));
  }
  return errors;
}

// `spec.matchConstraints`, which must be there and have a rule.
function validateMatchConstraints(spec: PolicySpec): FieldError[] {
  const path = 'spec.matchConstraints';
  if (spec.matchConstraints == null) return [required(path)];
  const errors = validateMatchResources(spec.matchConstraints, path);
  if (!spec.matchConstraints.resourceRules?.length) errors.push(required(`${path}.resourceRules`));
  return errors;
}

// `spec.matchConditions`, unless an update leaves them and the kind of parameters as they were.
function validatePolicyMatchConditions(
  spec: PolicySpec,
  validation: PolicyValidation<PolicySpec>,
): FieldError[] {
  const old = validation.old?.spec;
  const unchanged =
    old !== undefined &&
    deepEqual(spec.paramKind ?? null, old.paramKind ?? null) &&
    deepEqual(spec.matchConditions ?? [], old.matchConditions ?? []);
  if (unchanged) return [];
  const role: ExpressionRole = {
    checker: validation.checkers.plain,
    scope: { params: spec.paramKind != null, authorizer: true, patchTypes: false },
    stored: new Set((old?.matchConditions ?? []).map(({ expression = '' }) => expression)),
  };
  return validateMatchConditions(spec.matchConditions ?? [], role);
}

/** Returns the metadata to validate: the API sets generation 1 at creation, whatever the object contains. */
export function preparedMeta(
  meta: ObjectMeta | undefined,
  { old, isStatic = false }: ValidatedChange,
): ObjectMeta {
  return old === undefined && !isStatic ? { ...meta, generation: 1 } : (meta ?? {});
}

/** Returns findings without repetitions, as kube-apiserver does. */
function distinctErrors(errors: readonly FieldError[]): FieldError[] {
  return [...new Map(errors.map((error) => [`${error.field}: ${error.body}`, error])).values()];
}

/**
 * Validates the name of a new policy, binding or webhook configuration: some names are reserved for static ones.
 */
export function staticNameErrors(
  { name = '' }: ObjectMeta,
  code: number = newestMinor,
): readonly FieldError[] {
  if (code < firstWithStatic || !name.endsWith(staticSuffix)) return [];
  const text = `names ending with "${staticSuffix}" are reserved for static manifest-based configurations and cannot be managed via the API`;
  return [invalid('metadata.name', name, text)];
}

/**
 * Adds the errors that the strategy of a policy kind reports itself: the rules of all objects' metadata, which come
 * first on updates, and on creation only if nothing else was found, and reserved names (apiserver
 * registry/rest/create.go and update.go).
 *
 * @param errors the errors of the object's metadata and spec.
 */
export function finishValidation(
  errors: readonly FieldError[],
  meta: ObjectMeta,
  { old, code = newestMinor, isStatic = false }: ValidatedChange,
): readonly FieldError[] {
  if (isStatic) return distinctErrors(errors);
  if (old !== undefined) {
    const all = [...validateObjectMetaUpdate(meta, old), ...errors];
    return distinctErrors(asWordedBy(code, all));
  }
  const all = [...errors, ...staticNameErrors(meta, code)];
  if (all.length > 0) return distinctErrors(asWordedBy(code, all));
  const general = validateObjectMeta(meta, { nameRule: 'pathSegment', namespaced: false });
  return asWordedBy(code, general);
}
