import type { LabelSelector, ObjectMeta } from '@kubeadmit/apimachinery';

/** The API group of the policy kinds. */
export const policyGroup = 'admissionregistration.k8s.io';

/** The four kinds of policies and bindings. */
export type PolicyKind =
  | 'ValidatingAdmissionPolicy'
  | 'ValidatingAdmissionPolicyBinding'
  | 'MutatingAdmissionPolicy'
  | 'MutatingAdmissionPolicyBinding';

/** The operations of requests that policies see. */
export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** The kind of a policy's parameters (`spec.paramKind`). */
export interface ParamKind {
  readonly apiVersion?: string;
  readonly kind?: string;
}

/** One entry of `resourceRules` or `excludeResourceRules`. */
export interface ResourceRule {
  readonly resourceNames?: readonly string[] | null;
  readonly operations?: readonly string[] | null;
  readonly apiGroups?: readonly string[] | null;
  readonly apiVersions?: readonly string[] | null;
  readonly resources?: readonly string[] | null;
  readonly scope?: string | null;
}

/** Which requests a policy or a binding is about (`matchConstraints`, `matchResources`). */
export interface MatchResources {
  readonly namespaceSelector?: LabelSelector | null;
  readonly objectSelector?: LabelSelector | null;
  readonly resourceRules?: readonly ResourceRule[] | null;
  readonly excludeResourceRules?: readonly ResourceRule[] | null;
  readonly matchPolicy?: string | null;
}

/** An expression with a name: a match condition or a variable. */
export interface NamedExpression {
  readonly name?: string;
  readonly expression?: string;
}

/** One entry of `spec.validations`. */
export interface Validation {
  readonly expression?: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string | null;
}

/** One entry of `spec.auditAnnotations`. */
export interface AuditAnnotation {
  readonly key?: string;
  readonly valueExpression?: string;
}

/** One entry of `spec.mutations`. */
export interface Mutation {
  readonly patchType?: string;
  readonly applyConfiguration?: { readonly expression?: string } | null;
  readonly jsonPatch?: { readonly expression?: string } | null;
}

/** Which parameters a binding gives its policy (`spec.paramRef`). */
export interface ParamRef {
  readonly name?: string;
  readonly namespace?: string;
  readonly selector?: LabelSelector | null;
  readonly parameterNotFoundAction?: string | null;
}

/** Common fields of both kinds of policies. */
export interface PolicySpec {
  readonly failurePolicy?: string | null;
  readonly paramKind?: ParamKind | null;
  readonly matchConstraints?: MatchResources | null;
  readonly matchConditions?: readonly NamedExpression[] | null;
  readonly variables?: readonly NamedExpression[] | null;
}

/** The spec of a ValidatingAdmissionPolicy. */
export interface ValidatingSpec extends PolicySpec {
  readonly validations?: readonly Validation[] | null;
  readonly auditAnnotations?: readonly AuditAnnotation[] | null;
}

/** The spec of a MutatingAdmissionPolicy. */
export interface MutatingSpec extends PolicySpec {
  readonly mutations?: readonly Mutation[] | null;
  readonly reinvocationPolicy?: string;
}

/** The spec of a binding of either kind; a mutating one has no `validationActions`. */
export interface BindingSpec {
  readonly policyName?: string;
  readonly paramRef?: ParamRef | null;
  readonly matchResources?: MatchResources | null;
  readonly validationActions?: readonly string[] | null;
}

/** An object of one of the policy kinds, in the form of version v1. */
export interface PolicyObject<Spec> {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: Spec;
}

/** A ValidatingAdmissionPolicy. */
export type ValidatingPolicy = PolicyObject<ValidatingSpec>;
/** A MutatingAdmissionPolicy. */
export type MutatingPolicy = PolicyObject<MutatingSpec>;
/** A binding of either kind of policies. */
export type PolicyBinding = PolicyObject<BindingSpec>;

/** All kinds of policies and bindings. */
export const policyKinds: readonly PolicyKind[] = [
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
];

/** Whether a kind of the group `admissionregistration.k8s.io` is a policy or a binding. */
export function isPolicyKind(kind: string): kind is PolicyKind {
  return policyKinds.some((each) => each === kind);
}

/** The name of an object; empty when it has none. */
export function nameOf(object: { readonly metadata?: ObjectMeta }): string {
  return object.metadata?.name ?? '';
}
