import type { Type } from '@kubeadmit/cel';
import { dynType, listOf, mapOf, stringType, structType } from '@kubeadmit/cel/internal';
import { celPolicyTypes, policyTypes } from '@kubeadmit/kyverno/internal';
import type { FieldInfo, Fields } from './field-info.ts';
import { scalarTypes } from './scalar-types.ts';

type Rows = readonly (readonly [field: string, type: string, embedded?: string])[];

/** Files of tests, which neither the server nor Kyverno's definitions describe. */
const testTypes: Readonly<Record<string, Rows>> = {
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
    ['result', 'string:Result'],
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
  ['policies.kyverno.io/ValidatingPolicy', 'cel.ValidatingPolicy'],
  ['policies.kyverno.io/NamespacedValidatingPolicy', 'cel.ValidatingPolicy'],
  ['policies.kyverno.io/MutatingPolicy', 'cel.MutatingPolicy'],
  ['policies.kyverno.io/NamespacedMutatingPolicy', 'cel.MutatingPolicy'],
  ['policies.kyverno.io/PolicyException', 'cel.PolicyException'],
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

/** Types of Kyverno as they are written, and the names that its definitions have for types of Kubernetes. */
const wrapped: ReadonlyMap<string, string> = new Map([
  ['any:v1.ConditionsWrapper', 'v1.AnyAllConditions'],
  ['any:v1.ForEachValidationWrapper', '[]v1.ForEachValidation'],
  ['any:v1.ForEachMutationWrapper', '[]v1.ForEachMutation'],
  ['cel.AuditAnnotation', 'admissionregistration.v1.AuditAnnotation'],
  ['cel.Match', 'admissionregistration.v1.MatchResources'],
  ['cel.Mutation', 'admissionregistration.v1.Mutation'],
  ['cel.NamedExpression', 'admissionregistration.v1.MatchCondition'],
  ['cel.ResourceRule', 'admissionregistration.v1.NamedRuleWithOperations'],
  ['cel.Selector', 'meta.v1.LabelSelector'],
  ['cel.Validation', 'admissionregistration.v1.Validation'],
  ['any:metadata', 'meta.v1.ObjectMeta'],
  ['string:FailurePolicy', 'string:v1.FailurePolicyType'],
  ['string:ValidationAction', 'string:v1.ValidationAction'],
]);

/** The fields of a type of the tables. */
export function tableFields(name: string): Fields | undefined {
  const isKyverno = name.startsWith('kyverno.');
  const key = isKyverno ? name.slice('kyverno.'.length) : name;
  const table = isKyverno ? policyTypes : key.startsWith('cel.') ? celPolicyTypes : testTypes;
  const rows: Rows | undefined = Object.hasOwn(table, key) ? table[key] : undefined;
  return (
    rows && new Map(rows.map(([field, type]) => fieldOf(name, field.replace(/\?$/, ''), type)))
  );
}

function fieldOf(owner: string, name: string, given: string): [string, FieldInfo] {
  const own = owner.split('.').at(-1) ?? owner;
  const type = given === '[]cel.NamedExpression' && name === 'variables' ? variables : plain(given);
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

const variables = '[]admissionregistration.v1.Variable';

function plain(text: string): string {
  const bare = text.replace(/^\*/, '').replace(/^[\w.]+=/, '');
  if (bare.startsWith('[]')) return `[]${plain(bare.slice(2))}`;
  return wrapped.get(bare) ?? bare;
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
  const isOwn = /^(?:meta|admissionregistration|rbac)\.v1\.|^(?:cel|tests)\./.test(base);
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
