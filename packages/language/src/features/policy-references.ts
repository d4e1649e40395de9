import { policyGroup } from '@kubeadmit/engine';
import { paramKindOf } from '../cel/policy-environments.ts';
import { type LocatedObject, type ObjectView, objectsIn } from '../policy/object-view.ts';
import { type PolicyView, policiesIn } from '../policy/policy-view.ts';
import type { ServiceContext } from '../service/service-context.ts';
import type { Range } from '../text/text-lines.ts';
import type { TextDocument } from '../workspace/text-document.ts';
import { contentOf, itemsOf, nodeAt, type OutlineNode, type ScalarNode } from '../yaml/nodes.ts';
import type { NamedThing, Occurrence } from './named-thing.ts';

/** Whether an object is a policy of Kubernetes or Kyverno. */
export function isPolicy({ group, kind }: ObjectView): boolean {
  return (group === policyGroup || group.endsWith('kyverno.io')) && kind.endsWith('Policy');
}

export function scalarRange(document: TextDocument, { part }: ObjectView, node: ScalarNode): Range {
  const { start, end } = contentOf(node);
  return document.range(part, start, end);
}

/** A place where something is named. */
export function occurrence(
  { document, object }: LocatedObject,
  node: OutlineNode | undefined,
  name: string,
  isDefinition = false,
): readonly Occurrence[] {
  if (node?.kind !== 'scalar' || object.part.textOf(node) !== name) return [];
  return [{ uri: document.uri, range: scalarRange(document, object, node), isDefinition }];
}

interface PolicyReference {
  readonly node: OutlineNode | undefined;
  /** The kinds that a policy of this name may have; any where it is absent. */
  readonly kinds: readonly string[] | undefined;
}

/** Where an object names policies: a binding, an exception to them, a test. */
export function policyReferences({
  root,
  part,
  group,
  kind,
}: ObjectView): readonly PolicyReference[] {
  if (kind.endsWith('PolicyBinding')) {
    return [{ node: nodeAt(root, 'spec', 'policyName'), kinds: [kind.replace(/Binding$/, '')] }];
  }
  if (group === 'cli.kyverno.io') {
    const results = itemsOf(nodeAt(root, 'results'));
    return results.map((result) => ({ node: nodeAt(result, 'policy'), kinds: undefined }));
  }
  if (kind !== 'PolicyException') return [];
  return [
    ...itemsOf(nodeAt(root, 'spec', 'exceptions')).map((each) => ({
      node: nodeAt(each, 'policyName'),
      kinds: ['ClusterPolicy', 'Policy'],
    })),
    ...itemsOf(nodeAt(root, 'spec', 'policyRefs')).map((each) => ({
      node: nodeAt(each, 'name'),
      kinds: [part.textAt(each, 'kind')],
    })),
  ];
}

/** Whether a name may be one of a kind, where only some kinds can be meant; `undefined` stands for all. */
export function meansKind(kinds: readonly string[] | undefined, kind: string): boolean {
  return kinds?.includes(kind) !== false;
}

/** A policy: its name, the bindings that name it, and the tests. */
export function policyNamed(
  context: ServiceContext,
  kind: string,
  name: string,
  range: Range,
): NamedThing {
  const occurrences = objectsIn(context.workspace).flatMap((each): readonly Occurrence[] => {
    const { object } = each;
    if (object.kind === kind && isPolicy(object))
      return occurrence(each, object.nameNode, name, true);
    return policyReferences(object).flatMap(({ node, kinds }) =>
      meansKind(kinds, kind) ? occurrence(each, node, name) : [],
    );
  });
  const taken = namesOf(context, (object) => object.kind === kind && isPolicy(object), name);
  return { kind: 'policy', name, range, occurrences, taken };
}

/** Returns the names of the chosen objects, except `own`. */
function namesOf(
  context: ServiceContext,
  isMeant: (object: ObjectView) => boolean,
  own: string,
): ReadonlySet<string> {
  const names = objectsIn(context.workspace)
    .filter(({ object }) => isMeant(object))
    .map(({ object }) => object.name);
  return new Set(names.filter((name) => name !== own));
}

/** Whether an object is one that a binding gives its policy by name. */
export function isParameterOf(
  context: ServiceContext,
  object: ObjectView,
  binding: ObjectView,
): boolean {
  if (!binding.kind.endsWith('PolicyBinding')) return false;
  const reference = nodeAt(binding.root, 'spec', 'paramRef');
  if (binding.part.textOf(nodeAt(reference, 'name')) !== object.name || object.name === '')
    return false;
  const namespace = binding.part.textOf(nodeAt(reference, 'namespace'));
  if (namespace !== undefined && object.namespace !== '' && namespace !== object.namespace)
    return false;
  const policyName = binding.part.textOf(nodeAt(binding.root, 'spec', 'policyName'));
  const policy = objectsIn(context.workspace).find(
    (each) => `${each.object.kind}Binding` === binding.kind && each.object.name === policyName,
  );
  const [view] = policy === undefined ? [] : policiesIn(policy.object);
  const kind = view && paramKindOf(view);
  return kind !== undefined && kind.kind === object.kind && kind.group === object.group;
}

/** Returns a parameter: its name, and the bindings that name it; `undefined` for other objects. */
export function parameterNamed(
  context: ServiceContext,
  object: ObjectView,
  range: Range,
): NamedThing | undefined {
  const all = objectsIn(context.workspace);
  const used = all
    .filter((each) => isParameterOf(context, object, each.object))
    .flatMap((each) =>
      occurrence(each, nodeAt(each.object.root, 'spec', 'paramRef', 'name'), object.name),
    );
  if (used.length === 0) return undefined;
  const isBeside = ({ kind, group, namespace }: ObjectView): boolean =>
    kind === object.kind && group === object.group && namespace === object.namespace;
  const defined = all
    .filter((each) => isBeside(each.object))
    .flatMap((each) => occurrence(each, each.object.nameNode, object.name, true));
  const taken = namesOf(context, isBeside, object.name);
  return { kind: 'parameter', name: object.name, range, occurrences: [...defined, ...used], taken };
}

/** The objects that a policy gets as `params`. */
export function parametersOf(
  context: ServiceContext,
  policy: PolicyView,
  range: Range,
): NamedThing | undefined {
  const all = objectsIn(context.workspace);
  const bindings = all.filter(
    ({ object }) =>
      object.kind === `${policy.object.kind}Binding` &&
      object.part.textOf(nodeAt(object.root, 'spec', 'policyName')) === policy.object.name,
  );
  const occurrences = all
    .filter(({ object }) =>
      bindings.some((binding) => isParameterOf(context, object, binding.object)),
    )
    .flatMap((each) => occurrence(each, each.object.nameNode, each.object.name, true));
  return occurrences.length === 0
    ? undefined
    : { kind: 'definition', name: 'params', range, occurrences };
}
