import type { Type } from '@kubeadmit/cel';
import { dynType, listOf, mapOf, stringType, structType } from '@kubeadmit/cel/internal';
import { policyTypes } from '@kubeadmit/kyverno/internal';
import type { FieldInfo, Fields } from './field-info.ts';
import { scalarTypes } from './scalar-types.ts';

type Rows = readonly (readonly [field: string, type: string, embedded?: string])[];

/** Kinds that no schema of the server describes: Kyverno's policies in CEL, and files of tests. */
const ownTypes: Readonly<Record<string, Rows>> = {
  'policies.ValidatingPolicy': [
    ['apiVersion', 'string'],
    ['kind', 'string'],
    ['metadata', 'meta.v1.ObjectMeta'],
    ['spec', 'policies.ValidatingPolicySpec'],
  ],
  'policies.ValidatingPolicySpec': [
    ['validationActions', '[]string:v1.ValidationAction'],
    ['failurePolicy', 'string:v1.FailurePolicyType'],
    ['matchConstraints', 'admissionregistration.v1.MatchResources'],
    ['matchConditions', '[]admissionregistration.v1.MatchCondition'],
    ['variables', '[]admissionregistration.v1.Variable'],
    ['validations', '[]admissionregistration.v1.Validation'],
    ['auditAnnotations', '[]admissionregistration.v1.AuditAnnotation'],
    ['evaluation', 'policies.Evaluation'],
    ['autogen', 'policies.Autogen'],
    ['webhookConfiguration', 'policies.WebhookConfiguration'],
  ],
  'policies.PolicyException': [
    ['apiVersion', 'string'],
    ['kind', 'string'],
    ['metadata', 'meta.v1.ObjectMeta'],
    ['spec', 'policies.PolicyExceptionSpec'],
  ],
  'policies.PolicyExceptionSpec': [
    ['policyRefs', '[]policies.PolicyReference'],
    ['matchConditions', '[]admissionregistration.v1.MatchCondition'],
    ['images', '[]string'],
    ['allowedValues', '[]string'],
    ['reportResult', 'string:kyverno.ReportResult'],
    ['evaluationMode', 'string'],
    ['expiresAt', 'string'],
    ['properties', 'map:string'],
  ],
  'policies.PolicyReference': [
    ['name', 'string'],
    ['kind', 'string:kyverno.PolicyKind'],
  ],
  'policies.MutatingPolicy': [
    ['apiVersion', 'string'],
    ['kind', 'string'],
    ['metadata', 'meta.v1.ObjectMeta'],
    ['spec', 'policies.MutatingPolicySpec'],
  ],
  'policies.MutatingPolicySpec': [
    ['failurePolicy', 'string:v1.FailurePolicyType'],
    ['matchConstraints', 'admissionregistration.v1.MatchResources'],
    ['matchConditions', '[]admissionregistration.v1.MatchCondition'],
    ['variables', '[]admissionregistration.v1.Variable'],
    ['mutations', '[]admissionregistration.v1.Mutation'],
    ['reinvocationPolicy', 'string:v1.ReinvocationPolicyType'],
    ['auditAnnotations', '[]admissionregistration.v1.AuditAnnotation'],
    ['targetMatchConditions', '[]admissionregistration.v1.MatchCondition'],
    ['targetMatchConstraints', 'policies.TargetMatch'],
    ['evaluation', 'policies.MutatingEvaluation'],
    ['autogen', 'policies.MutatingAutogen'],
    ['webhookConfiguration', 'policies.WebhookConfiguration'],
  ],
  'policies.Evaluation': [
    ['mode', 'string:kyverno.Mode'],
    ['admission', 'policies.Enabled'],
    ['background', 'policies.Enabled'],
  ],
  'policies.MutatingEvaluation': [
    ['mode', 'string:kyverno.Mode'],
    ['admission', 'policies.Enabled'],
    ['background', 'policies.Enabled'],
    ['mutateExisting', 'policies.Enabled'],
    ['skipBackgroundRequests', 'bool'],
    ['useServerSideApply', 'bool'],
  ],
  'policies.TargetMatch': [
    ['expression', 'string'],
    ['resourceRules', '[]admissionregistration.v1.NamedRuleWithOperations'],
    ['excludeResourceRules', '[]admissionregistration.v1.NamedRuleWithOperations'],
    ['namespaceSelector', 'meta.v1.LabelSelector'],
    ['objectSelector', 'meta.v1.LabelSelector'],
    ['matchPolicy', 'string:v1.MatchPolicyType'],
  ],
  'policies.Enabled': [['enabled', 'bool']],
  'policies.Autogen': [
    ['podControllers', 'policies.PodControllers'],
    ['validatingAdmissionPolicy', 'policies.Enabled'],
  ],
  'policies.MutatingAutogen': [
    ['podControllers', 'policies.PodControllers'],
    ['mutatingAdmissionPolicy', 'policies.Enabled'],
  ],
  'policies.PodControllers': [['controllers', '[]string']],
  'policies.WebhookConfiguration': [['timeoutSeconds', 'int']],
  'tests.Test': [
    ['apiVersion', 'string'],
    ['kind', 'string'],
    ['metadata', 'meta.v1.ObjectMeta'],
    ['policies', '[]string'],
    ['resources', '[]string'],
    ['targetResources', '[]string'],
    ['variables', 'string'],
    ['userinfo', 'string'],
    ['exceptions', '[]string'],
    ['context', 'string'],
    ['values', 'tests.Values'],
    ['results', '[]tests.Result'],
  ],
  'tests.Result': [
    ['policy', 'string'],
    ['rule', 'string'],
    ['resources', '[]string'],
    ['kind', 'string'],
    ['result', 'string:kyverno.Result'],
    ['patchedResources', 'string'],
    ['generatedResource', 'string'],
    ['cloneSourceResource', 'string'],
    ['isValidatingAdmissionPolicy', 'bool'],
    ['isValidatingPolicy', 'bool'],
    ['isMutatingAdmissionPolicy', 'bool'],
  ],
  'tests.ValuesFile': [
    ['apiVersion', 'string'],
    ['kind', 'string'],
    ['metadata', 'meta.v1.ObjectMeta'],
    ['globalValues', 'map:string'],
    ['namespaceSelector', '[]tests.NamespaceSelector'],
    ['policies', '[]tests.PolicyValues'],
    ['subresources', '[]any:Subresource'],
  ],
  'tests.UserFile': [
    ['apiVersion', 'string'],
    ['kind', 'string'],
    ['metadata', 'meta.v1.ObjectMeta'],
    ['roles', '[]string'],
    ['clusterRoles', '[]string'],
    ['userInfo', 'tests.User'],
  ],
  'tests.User': [
    ['username', 'string'],
    ['uid', 'string'],
    ['groups', '[]string'],
    ['extra', 'map:any'],
  ],
  'tests.Values': [
    ['globalValues', 'map:string'],
    ['namespaceSelector', '[]tests.NamespaceSelector'],
    ['policies', '[]tests.PolicyValues'],
    ['subresources', '[]any:Subresource'],
  ],
  'tests.NamespaceSelector': [
    ['name', 'string'],
    ['labels', 'map:string'],
  ],
  'tests.PolicyValues': [
    ['name', 'string'],
    ['resources', '[]tests.ResourceValues'],
    ['rules', '[]tests.RuleValues'],
  ],
  'tests.ResourceValues': [
    ['name', 'string'],
    ['values', 'map:any'],
  ],
  'tests.RuleValues': [
    ['name', 'string'],
    ['values', 'map:any'],
    ['foreachValues', 'map:any'],
  ],
};

const rootNames: ReadonlyMap<string, string> = new Map([
  ['kyverno.io/ClusterPolicy', 'kyverno.v1.ClusterPolicy'],
  ['kyverno.io/Policy', 'kyverno.v1.Policy'],
  ['kyverno.io/PolicyException', 'kyverno.v2.PolicyException'],
  ['policies.kyverno.io/ValidatingPolicy', 'policies.ValidatingPolicy'],
  ['policies.kyverno.io/NamespacedValidatingPolicy', 'policies.ValidatingPolicy'],
  ['policies.kyverno.io/MutatingPolicy', 'policies.MutatingPolicy'],
  ['policies.kyverno.io/NamespacedMutatingPolicy', 'policies.MutatingPolicy'],
  ['policies.kyverno.io/PolicyException', 'policies.PolicyException'],
  ['cli.kyverno.io/Test', 'tests.Test'],
  ['cli.kyverno.io/Values', 'tests.ValuesFile'],
  ['cli.kyverno.io/UserInfo', 'tests.UserFile'],
]);

/** The kinds that the tables describe, with their groups. */
export const tableKinds: readonly string[] = [...rootNames.keys()];

/** The type of the objects of a kind that a table describes. */
export function tableRoot(group: string, kind: string): Type | undefined {
  const name = rootNames.get(`${group}/${kind}`);
  return name === undefined ? undefined : structType(name);
}

/** The fields of a type of the tables. */
export function tableFields(name: string): Fields | undefined {
  const isKyverno = name.startsWith('kyverno.');
  const key = isKyverno ? name.slice('kyverno.'.length) : name;
  const table: Readonly<Record<string, Rows>> = isKyverno ? policyTypes : ownTypes;
  const rows = Object.hasOwn(table, key) ? table[key] : undefined;
  return (
    rows && new Map(rows.map(([field, type]) => fieldOf(name, field.replace(/\?$/, ''), type)))
  );
}

function fieldOf(owner: string, name: string, type: string): [string, FieldInfo] {
  const own = owner.split('.').at(-1) ?? owner;
  const go = /:([\w.]+)$/.exec(type)?.[1];
  const info: FieldInfo = {
    name,
    escaped: name,
    type: typeOf(type),
    about: aboutOf(type),
    owner: owner.startsWith('kyverno.') ? `Kyverno${own}` : own,
    ...(go === undefined ? {} : { go }),
  };
  return [name, info];
}

const wrapped: Readonly<Record<string, string>> = {
  'any:v1.ConditionsWrapper': 'v1.AnyAllConditions',
  'any:v1.ForEachValidationWrapper': '[]v1.ForEachValidation',
  'any:v1.ForEachMutationWrapper': '[]v1.ForEachMutation',
};

function plain(text: string): string {
  const bare = text.replace(/^\*/, '').replace(/^[\w.]+=/, '');
  return Object.hasOwn(wrapped, bare) ? (wrapped[bare] as string) : bare;
}

function typeOf(text: string): Type {
  const bare = plain(text);
  if (bare.startsWith('[]')) return listOf(typeOf(bare.slice(2)));
  if (bare.startsWith('map:')) return mapOf(stringType, typeOf(bare.slice(4)));
  const [base = ''] = bare.split(':', 1);
  if (base === 'any') return dynType;
  return scalarTypes.get(base) ?? structType(structName(base));
}

function structName(base: string): string {
  const isOwn = /^(?:meta|admissionregistration|rbac)\.v1\.|^(?:policies|tests)\./.test(base);
  return isOwn ? base : `kyverno.${base}`;
}

function aboutOf(text: string): string {
  const bare = plain(text);
  if (bare.startsWith('[]')) return `list of ${aboutOf(bare.slice(2))}`;
  if (bare.startsWith('map:')) return `map of ${aboutOf(bare.slice(4))}`;
  const [base = ''] = bare.split(':', 1);
  const names: Readonly<Record<string, string>> = {
    string: 'text',
    bool: 'truth value',
    any: 'any value',
  };
  if (Object.hasOwn(names, base)) return names[base] as string;
  return /^int/.test(base) ? 'integer' : (base.split('.').at(-1) ?? base);
}
