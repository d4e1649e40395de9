import type { GroupVersionKind } from '@kubeadmit/apimachinery';
import { entryOf, itemsOf, nodeAt, type OutlineNode, type ScalarNode } from '../yaml/nodes.ts';
import type { ObjectView } from './object-view.ts';

export type ExpressionRole =
  | 'validation'
  | 'message'
  | 'annotation'
  | 'matchCondition'
  | 'variable'
  | 'applyConfiguration'
  | 'jsonPatch'
  | 'target';

/** An expression of a policy with its position. */
export interface ExpressionView {
  readonly role: ExpressionRole;
  /** The path of its field, such as `spec.validations[0].expression`. */
  readonly field: string;
  readonly node: ScalarNode;
  /** The name of the variable that it defines, or how many variables it can use. */
  readonly variables: number;
}

/** A variable of a policy. */
export interface VariableView {
  readonly name: string;
  readonly nameNode: ScalarNode | undefined;
  readonly expression: ScalarNode | undefined;
}

/** A rule of `matchConstraints` with the resources it names. */
export interface RuleView {
  readonly groups: readonly string[];
  readonly versions: readonly string[];
  readonly resources: readonly string[];
}

/** A policy whose expressions are written in CEL, as far as its text shows it. */
export interface PolicyView {
  readonly object: ObjectView;
  /** Whose environment its expressions have. */
  readonly language: 'kubernetes' | 'kyverno' | 'rule' | 'definition';
  readonly isMutating: boolean;
  readonly rules: readonly RuleView[];
  /** Kinds that Kyverno's rules name: `Pod`, `apps/v1/Deployment`. */
  readonly kinds: readonly string[];
  readonly paramKind: { readonly apiVersion: string; readonly kind: string } | undefined;
  readonly variables: readonly VariableView[];
  readonly expressions: readonly ExpressionView[];
  /** The subject of a definition's rules. */
  readonly rule?: RuleSubject;
}

/** The values that a rule of a definition validates. */
export interface RuleSubject {
  /** The kind in the version whose schema has the rule. */
  readonly kind: GroupVersionKind;
  /** The way to them in objects: names of fields, `[]` for elements and values. */
  readonly path: readonly string[];
  /** Whether `oldSelf` is an optional value. */
  readonly hasOptionalOldSelf: boolean;
}

const views = Symbol('policy views');
const policyGroups: ReadonlySet<string> = new Set([
  'admissionregistration.k8s.io',
  'policies.kyverno.io',
]);

/**
 * The parts with CEL of an object: one for a policy, one for each rule of Kyverno's policies and of definitions that
 * has any.
 */
export function policiesIn(object: ObjectView): readonly PolicyView[] {
  const { memory } = object.part;
  const known = (memory.get(views) ?? new Map()) as Map<ObjectView, readonly PolicyView[]>;
  memory.set(views, known);
  const found = known.get(object) ?? read(object);
  known.set(object, found);
  return found;
}

function read(object: ObjectView): readonly PolicyView[] {
  const { group, kind, root } = object;
  if (policyGroups.has(group) && kind.endsWith('Policy')) return [readPolicy(object)];
  if (group === 'kyverno.io' && (kind === 'ClusterPolicy' || kind === 'Policy')) {
    return itemsOf(nodeAt(root, 'spec', 'rules')).flatMap((rule, i) => readRule(object, rule, i));
  }
  if (group === 'apiextensions.k8s.io' && kind === 'CustomResourceDefinition') {
    return readDefinition(object);
  }
  return [];
}

function readPolicy(object: ObjectView): PolicyView {
  const { root, group, kind } = object;
  const spec = nodeAt(root, 'spec');
  const reader = new ExpressionReader(object);
  const variables = reader.variables(nodeAt(spec, 'variables'), 'spec.variables');
  reader.list(nodeAt(spec, 'matchConditions'), 'spec.matchConditions', [
    ['expression', 'matchCondition'],
  ]);
  reader.list(nodeAt(spec, 'validations'), 'spec.validations', [
    ['expression', 'validation'],
    ['messageExpression', 'message'],
  ]);
  reader.list(nodeAt(spec, 'auditAnnotations'), 'spec.auditAnnotations', [
    ['valueExpression', 'annotation'],
  ]);
  reader.list(nodeAt(spec, 'mutations'), 'spec.mutations', [
    ['applyConfiguration.expression', 'applyConfiguration'],
    ['jsonPatch.expression', 'jsonPatch'],
  ]);
  reader.list(nodeAt(spec, 'targetMatchConditions'), 'spec.targetMatchConditions', [
    ['expression', 'matchCondition'],
  ]);
  if (spec !== undefined) {
    reader.item(spec, 'spec', [['targetMatchConstraints.expression', 'target']]);
  }
  return {
    object,
    language: group === 'policies.kyverno.io' ? 'kyverno' : 'kubernetes',
    isMutating: kind.includes('Mutating'),
    rules: rulesOf(object, nodeAt(spec, 'matchConstraints', 'resourceRules')),
    kinds: [],
    paramKind: paramKindOf(object, nodeAt(spec, 'paramKind')),
    variables,
    expressions: reader.expressions,
  };
}

/** `validate.cel` and `celPreconditions` of a rule of Kyverno. */
function readRule(object: ObjectView, rule: OutlineNode, index: number): PolicyView[] {
  const path = `spec.rules[${index}]`;
  const cel = nodeAt(rule, 'validate', 'cel');
  const preconditions = nodeAt(rule, 'celPreconditions');
  if (cel === undefined && preconditions === undefined) return [];
  const reader = new ExpressionReader(object);
  const variables = reader.variables(nodeAt(cel, 'variables'), `${path}.validate.cel.variables`);
  reader.list(preconditions, `${path}.celPreconditions`, [['expression', 'matchCondition']]);
  reader.list(nodeAt(cel, 'expressions'), `${path}.validate.cel.expressions`, [
    ['expression', 'validation'],
    ['messageExpression', 'message'],
  ]);
  reader.list(nodeAt(cel, 'auditAnnotations'), `${path}.validate.cel.auditAnnotations`, [
    ['valueExpression', 'annotation'],
  ]);
  return [
    {
      object,
      language: 'rule',
      isMutating: false,
      rules: [],
      kinds: kindsOfRule(object, rule),
      paramKind: paramKindOf(object, nodeAt(cel, 'paramKind')),
      variables,
      expressions: reader.expressions,
    },
  ];
}

/** The kinds that a rule of Kyverno matches. */
export function kindsOfRule(object: ObjectView, rule: OutlineNode | undefined): readonly string[] {
  const match = nodeAt(rule, 'match');
  const clauses = [match, ...itemsOf(nodeAt(match, 'any')), ...itemsOf(nodeAt(match, 'all'))];
  return clauses.flatMap((clause) => textsOf(object, nodeAt(clause, 'resources', 'kinds')));
}

const deepestSchema = 100;

/** The rules of the schemas of a definition, for each version. */
function readDefinition(object: ObjectView): readonly PolicyView[] {
  const { part, root } = object;
  const spec = nodeAt(root, 'spec');
  const text = (...path: readonly string[]): string => part.textAt(spec, ...path);
  return itemsOf(nodeAt(spec, 'versions')).flatMap((item, i) => {
    const version = part.textAt(item, 'name');
    const kind = { group: text('group'), version, kind: text('names', 'kind') };
    const field = `spec.versions[${i}].schema.openAPIV3Schema`;
    return readSchema(object, nodeAt(item, 'schema', 'openAPIV3Schema'), { kind, field, path: [] });
  });
}

interface SchemaPlace {
  readonly kind: GroupVersionKind;
  /** The path of the schema in the definition. */
  readonly field: string;
  /** The way to its values in objects. */
  readonly path: readonly string[];
}

function readSchema(
  object: ObjectView,
  schema: OutlineNode | undefined,
  { kind, field, path }: SchemaPlace,
): readonly PolicyView[] {
  if (schema?.kind !== 'map' || path.length > deepestSchema) return [];
  const own = itemsOf(nodeAt(schema, 'x-kubernetes-validations')).map((item, i): PolicyView => {
    const reader = new ExpressionReader(object);
    reader.item(item, `${field}.x-kubernetes-validations[${i}]`, [
      ['rule', 'validation'],
      ['messageExpression', 'message'],
    ]);
    const optional = object.part.textOf(nodeAt(item, 'optionalOldSelf'));
    return {
      object,
      language: 'definition',
      isMutating: false,
      rules: [],
      kinds: [],
      paramKind: undefined,
      variables: [],
      expressions: reader.expressions,
      rule: { kind, path, hasOptionalOldSelf: optional === 'true' },
    };
  });
  const properties = nodeAt(schema, 'properties');
  const inner = (properties?.kind === 'map' ? properties.entries : []).flatMap(({ key, value }) =>
    readSchema(object, value, { kind, field: `${field}.properties[${key}]`, path: [...path, key] }),
  );
  const elements = (['items', 'additionalProperties'] as const).flatMap((name) =>
    readSchema(object, nodeAt(schema, name), {
      kind,
      field: `${field}.${name}`,
      path: [...path, '[]'],
    }),
  );
  return [...own, ...inner, ...elements];
}

class ExpressionReader {
  readonly expressions: ExpressionView[] = [];
  readonly #object: ObjectView;
  #variables = 0;

  constructor(object: ObjectView) {
    this.#object = object;
  }

  variables(list: OutlineNode | undefined, field: string): readonly VariableView[] {
    const found = itemsOf(list).map((item, i): VariableView => {
      const [name, expression] = [nodeAt(item, 'name'), scalarOf(item, 'expression')];
      this.#variables = i;
      this.#add(expression, `${field}[${i}].expression`, 'variable');
      return {
        name: this.#object.part.textOf(name) ?? '',
        nameNode: name?.kind === 'scalar' ? name : undefined,
        expression,
      };
    });
    this.#variables = found.length;
    return found;
  }

  list(
    list: OutlineNode | undefined,
    field: string,
    parts: readonly (readonly [path: string, role: ExpressionRole])[],
  ): void {
    for (const [i, item] of itemsOf(list).entries()) this.item(item, `${field}[${i}]`, parts);
  }

  /** The expressions of one object, by their paths in it. */
  item(
    item: OutlineNode,
    field: string,
    parts: readonly (readonly [path: string, role: ExpressionRole])[],
  ): void {
    for (const [path, role] of parts) {
      const steps = path.split('.');
      const parent = nodeAt(item, ...steps.slice(0, -1));
      this.#add(scalarOf(parent, steps.at(-1) ?? ''), `${field}.${path}`, role);
    }
  }

  #add(node: ScalarNode | undefined, field: string, role: ExpressionRole): void {
    if (node === undefined) return;
    this.expressions.push({ role, field, node, variables: this.#variables });
  }
}

/** The scalar of a key; an empty one where nothing is written behind the colon yet. */
function scalarOf(parent: OutlineNode | undefined, key: string): ScalarNode | undefined {
  const entry = entryOf(parent, key);
  if (entry?.value !== undefined) return entry.value.kind === 'scalar' ? entry.value : undefined;
  if (entry?.colon === undefined) return undefined;
  const at = entry.end;
  return { kind: 'scalar', style: 'plain', start: at, end: at + 1, isClosed: true };
}

function rulesOf({ part }: ObjectView, rules: OutlineNode | undefined): readonly RuleView[] {
  const texts = (node: OutlineNode | undefined): readonly string[] => part.textsOf(node);
  return itemsOf(rules).map((rule) => ({
    groups: texts(nodeAt(rule, 'apiGroups')),
    versions: texts(nodeAt(rule, 'apiVersions')),
    resources: texts(nodeAt(rule, 'resources')),
  }));
}

function textsOf({ part }: ObjectView, node: OutlineNode | undefined): readonly string[] {
  return part.textsOf(node);
}

function paramKindOf({ part }: ObjectView, node: OutlineNode | undefined): PolicyView['paramKind'] {
  if (node === undefined) return undefined;
  return {
    apiVersion: part.textAt(node, 'apiVersion'),
    kind: part.textAt(node, 'kind'),
  };
}
