import {
  type JsonObject,
  type KubernetesObject,
  member,
  memberList,
  memberText,
  metadataString,
} from '@kubeadmit/apimachinery';
import { generatingRules } from '@kubeadmit/kyverno/background';
import { type KindSelector, parseKindSelector, selectsKind } from '@kubeadmit/kyverno/patterns';
import { computeRules } from '@kubeadmit/kyverno/unstable-internal';
import type { ClassicPolicy, KyvernoPolicies } from '../readers/policies.ts';
import { kindsOf, type ServedKind } from '../requests/served-kind.ts';

type NewerPolicy = KyvernoPolicies['cel'][number];

/** The lifetime of the objects of a rule, and their trigger. */
export interface GeneratorRule {
  /** Whether the objects follow the rule, its trigger and its sources. */
  readonly isSynchronized: boolean;
  /** Whether the objects stay when the policy or the rule is deleted. */
  readonly outlivesPolicy: boolean;
  /** Whether triggers that are older than the policy count. */
  readonly generatesExisting: boolean;
  /** Whether the deletion of a trigger generates objects. */
  readonly generatesOnDelete: boolean;
  /** Whether triggers that background work made do not count. */
  readonly skipsBackgroundChanges: boolean;
  /** Whether objects are written by server-side apply, which leaves fields of others alone. */
  readonly appliesServerSide: boolean;
  /** Whether a changed trigger replaces objects even if they are not synchronized. */
  readonly followsTrigger: boolean;
}

/** Objects of kinds in a namespace; in all namespaces if it is empty. */
export interface SourceKinds {
  readonly matches: (kind: ServedKind) => boolean;
  readonly namespace: string;
}

/** A policy that generates objects in the background of a cluster. */
export interface Generator {
  /** The compiled policy. */
  readonly policy: Pick<ClassicPolicy, 'object' | 'policy'> | NewerPolicy;
  /** As in `ClusterPolicy/name` or `Policy/namespace/name`. */
  readonly key: string;
  /** The name of the policy. */
  readonly name: string;
  /** The namespace of a namespaced policy, and empty for others. */
  readonly namespace: string;
  /** The rules by name; a GeneratingPolicy has one, with an empty name. */
  readonly rules: ReadonlyMap<string, GeneratorRule>;
  /** Whether objects of a kind may be triggers. */
  readonly mayTrigger: (kind: ServedKind) => boolean;
  /** The objects that rules clone. */
  readonly sources: readonly SourceKinds[];
  /** Whether the policy names a kind as one of its generated objects. */
  readonly mayGenerate: (kind: ServedKind) => boolean;
}

/** Returns the policies that generate objects. */
export function findGenerators({ classic, cel }: KyvernoPolicies): readonly Generator[] {
  return [
    ...classic.filter(({ policy }) => policy.hasGenerate).map(ofClassic),
    ...cel.filter(({ policy }) => policy.type === 'Generation').map(ofCel),
  ];
}

function ofClassic(classic: ClassicPolicy): Generator {
  const { object, policy } = classic;
  const generatesExisting = member(policy.spec, 'generateExisting') === true;
  const sources = computeRules(object as JsonObject, '').filter(
    (rule) => member(rule, 'generate') !== undefined,
  );
  const rules = generatingRules(policy).map(({ name, source, generation }) => {
    const rule: GeneratorRule = {
      isSynchronized: generation.isSynchronized,
      outlivesPolicy: generation.outlivesPolicy,
      generatesExisting: generation.generatesExisting ?? generatesExisting,
      generatesOnDelete: operationsOf(member(source, 'match')).includes('DELETE'),
      skipsBackgroundChanges: member(source, 'skipBackgroundRequests') !== false,
      appliesServerSide: member(policy.spec, 'useServerSideApply') === true,
      followsTrigger: false,
    };
    return [name, rule] as const;
  });
  const kinds = sources.flatMap((rule) => kindsOf(member(rule, 'match'))).map(parseKindSelector);
  const patterns = sources.flatMap((rule) => patternsOf(member(rule, 'generate')));
  return {
    policy: classic,
    ...nameOf(object),
    rules: new Map(rules),
    mayTrigger: selectsAny(kinds),
    sources: patterns.flatMap(sourcesOf),
    mayGenerate: selectsAny(patterns.flatMap(targetsOf)),
  };
}

function ofCel(cel: NewerPolicy): Generator {
  const { object } = cel;
  const spec = member(object, 'spec');
  const isEnabled = (field: string): boolean =>
    member(member(member(spec, 'evaluation'), field), 'enabled') === true;
  const constraints = member(spec, 'matchConstraints');
  const resourceRules = memberList(constraints, 'resourceRules');
  const rule: GeneratorRule = {
    isSynchronized: isEnabled('synchronize'),
    outlivesPolicy: isEnabled('orphanDownstreamOnPolicyDelete'),
    generatesExisting: isEnabled('generateExisting'),
    generatesOnDelete: resourceRules.some((each) =>
      memberList(each, 'operations').includes('DELETE'),
    ),
    skipsBackgroundChanges: member(member(spec, 'evaluation'), 'skipBackgroundRequests') !== false,
    appliesServerSide: member(spec, 'useServerSideApply') === true,
    followsTrigger: true,
  };
  return {
    policy: cel,
    ...nameOf(object),
    rules: new Map([['', rule]]),
    mayTrigger: (kind) => resourceRules.some((each) => isRuleAbout(each, kind)),
    sources: [],
    mayGenerate: () => false,
  };
}

/** Returns the key that identifies a policy of a cluster. */
export function policyKey(object: KubernetesObject): string {
  return nameOf(object).key;
}

/** Returns the names of a policy of a cluster. */
export function nameOf(object: KubernetesObject): Pick<Generator, 'key' | 'name' | 'namespace'> {
  const kind = String(object['kind']);
  const name = metadataString(object, 'name');
  const namespace = kind.startsWith('Cluster') ? '' : metadataString(object, 'namespace');
  return { key: [kind, namespace, name].filter((part) => part !== '').join('/'), name, namespace };
}

/** Returns the operations that a match of a rule names. */
export function operationsOf(match: unknown): readonly unknown[] {
  const own = memberList(member(match, 'resources'), 'operations');
  const below = ['any', 'all'].flatMap((field) => memberList(match, field).flatMap(operationsOf));
  return [...own, ...below];
}

/** Returns the patterns of a rule: its own one, or those in `foreach`. */
function patternsOf(generate: unknown): readonly unknown[] {
  const loops = memberList(generate, 'foreach');
  return loops.length === 0 ? [generate] : loops;
}

/** Whether a kind is one of those that selectors name. */
export function selectsAny(kinds: readonly KindSelector[]): (kind: ServedKind) => boolean {
  return (kind) => kinds.some((each) => selectsKind({ ...each, subresource: '' }, kind, ''));
}

function sourcesOf(pattern: unknown): readonly SourceKinds[] {
  const [clone, cloneList] = [member(pattern, 'clone'), member(pattern, 'cloneList')];
  const place = memberText(clone, 'name') === '' ? cloneList : clone;
  if (place === undefined) return [];
  return [{ matches: selectsAny(targetsOf(pattern)), namespace: namespaceOf(place) }];
}

// A variable may stand for any namespace.
function namespaceOf(place: unknown): string {
  const namespace = memberText(place, 'namespace');
  return namespace.includes('{{') ? '' : namespace;
}

function targetsOf(pattern: unknown): readonly KindSelector[] {
  const listed = memberList(member(pattern, 'cloneList'), 'kinds').map(String);
  if (listed.length > 0) return listed.map(parseKindSelector);
  const [apiVersion, kind] = [memberText(pattern, 'apiVersion'), memberText(pattern, 'kind')];
  if (kind === '' || kind.includes('{{') || apiVersion.includes('{{')) return [];
  return [parseKindSelector(apiVersion === '' ? kind : `${apiVersion}/${kind}`)];
}

/** Whether a rule of `matchConstraints` names a resource. */
export function isRuleAbout(rule: unknown, { group, version, resource }: ServedKind): boolean {
  const names = (field: string, value: string): boolean =>
    memberList(rule, field).some((each) => each === '*' || each === '*/*' || each === value);
  return names('apiGroups', group) && names('apiVersions', version) && names('resources', resource);
}
