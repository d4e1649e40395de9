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
  /** The group and version, such as `example.com/v1`. */
  readonly apiVersion?: string;
  /** The kind. */
  readonly kind?: string;
}

/** One entry of `resourceRules` or `excludeResourceRules`. */
export interface ResourceRule {
  /** The names of objects; empty for all. */
  readonly resourceNames?: readonly string[] | null;
  /** The operations, or `*`. */
  readonly operations?: readonly string[] | null;
  /** The groups, or `*`. */
  readonly apiGroups?: readonly string[] | null;
  /** The versions, or `*`. */
  readonly apiVersions?: readonly string[] | null;
  /** Resources and subresources, such as `pods`, `pods/status` or `*`. */
  readonly resources?: readonly string[] | null;
  /** `Cluster`, `Namespaced` or `*` (default). */
  readonly scope?: string | null;
}

/** Which requests a policy or a binding is about (`matchConstraints`, `matchResources`). */
export interface MatchResources {
  /** Selects namespaces by their labels. */
  readonly namespaceSelector?: LabelSelector | null;
  /** Selects objects by their labels. */
  readonly objectSelector?: LabelSelector | null;
  /** Selects operations on resources. */
  readonly resourceRules?: readonly ResourceRule[] | null;
  /** Excludes operations on resources. */
  readonly excludeResourceRules?: readonly ResourceRule[] | null;
  /** `Exact` or `Equivalent` (default). */
  readonly matchPolicy?: string | null;
}

/** An expression with a name: a match condition or a variable. */
export interface NamedExpression {
  /** The name. */
  readonly name?: string;
  /** The expression in CEL. */
  readonly expression?: string;
}

/** One entry of `spec.validations`. */
export interface Validation {
  /** The expression in CEL, which must be true. */
  readonly expression?: string;
  /** The message for the client. */
  readonly message?: string;
  /** Returns the message; it takes precedence over `message`. */
  readonly messageExpression?: string;
  /** The reason in the status, such as `Forbidden` (default: `Invalid`). */
  readonly reason?: string | null;
}

/** One entry of `spec.auditAnnotations`. */
export interface AuditAnnotation {
  /** The key, below the name of the policy. */
  readonly key?: string;
  /** Returns the value as a string, or null for no annotation. */
  readonly valueExpression?: string;
}

/** One entry of `spec.mutations`. */
export interface Mutation {
  /** `ApplyConfiguration` or `JSONPatch`. */
  readonly patchType?: string;
  /** The configuration to apply, for that type. */
  readonly applyConfiguration?: { readonly expression?: string } | null;
  /** The list of operations, for that type. */
  readonly jsonPatch?: { readonly expression?: string } | null;
}

/** Which parameters a binding gives its policy (`spec.paramRef`). */
export interface ParamRef {
  /** The name of the parameter. */
  readonly name?: string;
  /** The namespace of the parameter (default: that of the request). */
  readonly namespace?: string;
  /** Selects parameters by their labels. */
  readonly selector?: LabelSelector | null;
  /** `Allow` or `Deny`. */
  readonly parameterNotFoundAction?: string | null;
}

/** Common fields of both kinds of policies. */
export interface PolicySpec {
  /** `Fail` (default) or `Ignore`. */
  readonly failurePolicy?: string | null;
  /** The kind of its parameters; absent without parameters. */
  readonly paramKind?: ParamKind | null;
  /** Selects the requests that the policy matches. */
  readonly matchConstraints?: MatchResources | null;
  /** Conditions in CEL, all of which must hold. */
  readonly matchConditions?: readonly NamedExpression[] | null;
  /** Variables that other expressions read as `variables.name`. */
  readonly variables?: readonly NamedExpression[] | null;
}

/** The spec of a ValidatingAdmissionPolicy. */
export interface ValidatingSpec extends PolicySpec {
  /** The validations, in their order. */
  readonly validations?: readonly Validation[] | null;
  /** The annotations for the audit log. */
  readonly auditAnnotations?: readonly AuditAnnotation[] | null;
}

/** The spec of a MutatingAdmissionPolicy. */
export interface MutatingSpec extends PolicySpec {
  /** The mutations, in their order. */
  readonly mutations?: readonly Mutation[] | null;
  /** `Never` or `IfNeeded`. */
  readonly reinvocationPolicy?: string;
}

/** The spec of a binding of either kind; a mutating one has no `validationActions`. */
export interface BindingSpec {
  /** The name of the policy. */
  readonly policyName?: string;
  /** The parameters of the policy. */
  readonly paramRef?: ParamRef | null;
  /** Restricts the requests that the policy matches. */
  readonly matchResources?: MatchResources | null;
  /** `Deny`, `Warn` or `Audit`. */
  readonly validationActions?: readonly string[] | null;
}

/** An object of one of the policy kinds, in the form of version v1. */
export interface PolicyObject<Spec> {
  /** Such as `admissionregistration.k8s.io/v1`. */
  readonly apiVersion?: string;
  /** Such as `ValidatingAdmissionPolicy`. */
  readonly kind?: string;
  /** The metadata of the object. */
  readonly metadata?: ObjectMeta;
  /** The contents of the policy or binding. */
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
