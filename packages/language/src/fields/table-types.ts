import type { Type } from '@kubeadmit/cel';
import { listOf, structType } from '@kubeadmit/cel/types';
import { policyStructs, testStructs } from '@kubeadmit/kyverno/validation';
import type { FieldInfo, Fields } from './field-info.ts';
import { kyvernoKinds } from './kyverno-kinds.ts';
import { structFields } from './struct-fields.ts';

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

/** The names that Kyverno's definitions have for types of Kubernetes. */
const kubernetesNames: ReadonlyMap<string, string> = new Map([
  ['cel.AuditAnnotation', 'admissionregistration.v1.AuditAnnotation'],
  ['cel.Match', 'admissionregistration.v1.MatchResources'],
  ['cel.Mutation', 'admissionregistration.v1.Mutation'],
  ['cel.NamedExpression', 'admissionregistration.v1.MatchCondition'],
  ['cel.ResourceRule', 'admissionregistration.v1.NamedRuleWithOperations'],
  ['cel.Selector', 'meta.v1.LabelSelector'],
  ['cel.Validation', 'admissionregistration.v1.Validation'],
]);

/** The fields of a type of the tables. */
export function tableFields(name: string): Fields | undefined {
  const struct = policyStructs.get(name) ?? testStructs().get(name);
  if (struct === undefined) return undefined;
  const isOurs = name.startsWith('cel.') || name.startsWith('tests.');
  const fields = structFields(struct, isOurs ? struct.ownName : `Kyverno${struct.ownName}`);
  return new Map([...fields].map(([field, info]) => [field, inKubernetesWords(info)]));
}

function inKubernetesWords(info: FieldInfo): FieldInfo {
  const { name, type } = info;
  const of = type.kind === 'list' ? type.parameters[0] : type;
  const own = of?.kind === 'struct' ? kubernetesNames.get(of.name) : undefined;
  if (own === undefined) return info;
  const isVariables = of?.name === 'cel.NamedExpression' && name === 'variables';
  const full = isVariables ? 'admissionregistration.v1.Variable' : own;
  const about = full.split('.').at(-1) ?? full;
  return type.kind === 'list'
    ? { ...info, type: listOf(structType(full)), about: `list of ${about}` }
    : { ...info, type: structType(full), about };
}
