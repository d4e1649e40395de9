import {
  isObject,
  type JsonObject,
  type KubernetesObject,
  objectOf,
} from '@kubeadmit/apimachinery';
import { type OptionKind, requireArgument, requireList, requireOptions } from '@kubeadmit/base';
import { identityOf, identityText } from '@kubeadmit/chain/kyverno-resources';
import { type Differences, findDifferences, type KnownDifference } from '@kubeadmit/difference';
import {
  assumedConfigMap,
  isParameter,
  parametersOf,
} from '@kubeadmit/difference/unstable-internal';
import type { Schemas } from '@kubeadmit/schemas';
import { requireSchemas } from '@kubeadmit/schemas/unstable-internal';
import { assumedSignatures } from './acting/assumed-signatures.ts';
import { assumedSources } from './acting/assumed-sources.ts';
import type { RuleConversion } from './conversion.ts';
import { knownDifferences } from './known-differences.ts';
import type { DifferenceNote } from './notes/difference-notes.ts';
import { titleOf } from './policy/names.ts';

/** How a conversion is proven. */
export interface ProofOptions {
  /** The kinds of the server. */
  readonly schemas: Schemas;
  /** The number of generated requests; equal ones are evaluated once. */
  readonly search: number;
  /** The seed of the generated requests; equal seeds give equal requests (default: 1). */
  readonly seed?: number;
  /** Objects that are tested unchanged and from which further objects are derived. */
  readonly resources?: readonly JsonObject[];
  /** The objects that both sides depend on: exceptions, ConfigMaps and namespaces. */
  readonly related?: readonly JsonObject[];
  /** Differences with a known cause, in addition to those that the rule's report mentions. */
  readonly known?: readonly KnownDifference[];
  /** The number of differences after which the search ends (default: 20). */
  readonly most?: number;
  /** Returns the time in milliseconds since 1970. */
  readonly clock: () => number;
}

const optionKinds: Readonly<Record<keyof ProofOptions, OptionKind>> = {
  schemas: 'any',
  search: 'number',
  seed: 'number',
  resources: 'list',
  related: 'list',
  known: 'list',
  most: 'number',
  clock: 'function',
};

/** @throws TypeError naming the option of the caller that is wrong. */
export function requireProofOptions(caller: string, options: ProofOptions): void {
  requireOptions(caller, options, optionKinds);
  requireSchemas(caller, options.schemas);
}

/** A request that gets no ConfigMap costs little and ends early; some are enough. */
const shareWithoutContext = 0.2;

/**
 * Compares a rule with its results by verdicts and objects, each side alone. Rules that read a ConfigMap are also
 * compared where the ConfigMap is missing. Returns `undefined` where there is nothing to compare, or no engine for the
 * rule.
 */
export async function proveRule(
  policy: JsonObject,
  told: RuleConversion,
  made: readonly JsonObject[],
  options: ProofOptions,
): Promise<Differences | undefined> {
  requireArgument('proveRule', policy, { what: 'a policy' });
  requireArgument('proveRule', told, { what: 'a rule of a conversion', has: 'results' });
  requireList('proveRule', made, { what: 'policies' });
  requireProofOptions('proveRule', options);
  // Constraints of Gatekeeper have no engine here.
  const isConstraint = String(policy['apiVersion']).startsWith('constraints.');
  if (told.results.length === 0 || isConstraint) return undefined;
  const spec = objectOf(policy['spec']);
  const rules = Array.isArray(spec['rules'])
    ? { rules: spec['rules'].filter((rule) => isObject(rule) && rule['name'] === told.rule) }
    : {};
  const own = made.filter((object) => told.results.includes(titleOf(object)));
  const sides: Sides = {
    old: [{ ...policy, spec: { ...spec, ...rules } }],
    new: own,
    noted: told.differences ?? [],
  };
  return compareSides(sides, options);
}

/** Policies, their results, and the known differences between them. */
export interface Sides {
  readonly old: readonly JsonObject[];
  readonly new: readonly JsonObject[];
  readonly noted: readonly DifferenceNote[];
}

/**
 * Compares policies with their results, with every ConfigMap that they read and, in a share of the requests, without.
 */
export async function compareSides(sides: Sides, options: ProofOptions): Promise<Differences> {
  const { search } = options;
  const given = options.related ?? [];
  const related = [...given, ...missingSources(sides.old, given)];
  const wanted = parametersOf(sides.new);
  if (wanted.length === 0) return compare(sides, options, related, search);
  const assumed = wanted
    .filter((each) => !related.some((object) => isParameter(object, each)))
    .map((each) => assumedConfigMap(each, sides));
  const present = await compare(sides, options, [...related, ...assumed], search);
  const others = related.filter((object) => !wanted.some((each) => isParameter(object, each)));
  const share = Math.ceil(search * shareWithoutContext);
  const absent = await compare(sides, { ...options, resources: [] }, others, share);
  const missing = wanted.map(({ namespace, name }) => `ConfigMap ${namespace}/${name}`);
  const differences = absent.differences.map((each) => ({ ...each, missing }));
  return joined(present, { ...absent, differences });
}

// The objects that rules clone, unless the inputs contain them.
function missingSources(
  policies: readonly JsonObject[],
  given: readonly JsonObject[],
): readonly JsonObject[] {
  const keyOf = (object: JsonObject): string => identityText(identityOf(object));
  const known = new Set(given.map(keyOf));
  return policies.flatMap(assumedSources).filter((source) => !known.has(keyOf(source)));
}

function compare(
  sides: Sides,
  options: ProofOptions,
  related: readonly JsonObject[],
  search: number,
): Promise<Differences> {
  const { schemas, seed, resources = [], known = [], most, clock } = options;
  return findDifferences({
    old: [...sides.old, ...related] as KubernetesObject[],
    new: [...sides.new, ...related] as KubernetesObject[],
    resources: resources as readonly KubernetesObject[],
    schemas,
    search,
    likeness: 'verdicts',
    images: assumedSignatures,
    known: [...knownDifferences(sides.noted), ...known],
    clock,
    ...(seed === undefined ? {} : { seed }),
    ...(most === undefined ? {} : { most }),
  });
}

// The second search has no ConfigMap, so its reach does not count for the conditions.
function joined(one: Differences, other: Differences): Differences {
  return {
    ...one,
    requests: one.requests + other.requests,
    generated: one.generated + other.generated,
    differences: [...one.differences, ...other.differences],
    explained: [...one.explained, ...other.explained],
    more: one.more || other.more,
  };
}
