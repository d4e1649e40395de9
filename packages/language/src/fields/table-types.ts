import type { Type } from '@kubeadmit/cel';
import { dynType, listOf, mapOf, stringType, structType } from '@kubeadmit/cel/internal';
import { testTypes } from '@kubeadmit/check/internal';
import { celPolicyTypes, policyTypes } from '@kubeadmit/kyverno/internal';
import type { FieldInfo, Fields } from './field-info.ts';
import { kyvernoKinds } from './kyverno-kinds.ts';
import { scalarTypes } from './scalar-types.ts';

const tables: Readonly<Record<string, readonly (readonly [string, string, ...unknown[]])[]>> = {
  ...policyTypes,
  ...celPolicyTypes,
  ...testTypes,
};

/** The type of the objects of a kind that a table describes. */
export function tableRoot(group: string, kind: string): Type | undefined {
  const found = kyvernoKinds.find((each) => each.group === group && each.kind === kind);
  if (found === undefined) return undefined;
  const packages: Readonly<Record<string, string>> = {
    'kyverno.io': found.version,
    'policies.kyverno.io': 'cel',
  };
  return structType(`${packages[group] ?? 'tests'}.${kind.replace(/^Namespaced/, '')}`);
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
  const rows = Object.hasOwn(tables, name) ? tables[name] : undefined;
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
    owner: Object.hasOwn(policyTypes, owner) ? `Kyverno${own}` : own,
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
  return scalarTypes.get(base) ?? structType(base);
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
