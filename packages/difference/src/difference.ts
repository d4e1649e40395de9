import { type JsonObject, type KubernetesObject, metadataString } from '@kubeadmit/apimachinery';
import { type OptionKind, requireOptions } from '@kubeadmit/base';
import { type Chain, type ChainOptions, loadChain } from '@kubeadmit/chain';
import type { Schemas } from '@kubeadmit/schemas';
import { requireSchemas } from '@kubeadmit/schemas/unstable-internal';
import { withAssumedKinds } from './assumed-kinds.ts';
import { branchProbe } from './branches.ts';
import { Comparison, type Difference, type KnownDifference, mostExplained } from './comparison.ts';
import { Grower } from './grow.ts';
import { Guide, type Unreached } from './guide.ts';
import type { Likeness } from './judge.ts';
import { placesOf } from './policy-places.ts';
import { Random } from './random.ts';
import { type Asking, nextRequest, requestFor } from './random-requests.ts';
import { selectedNamespaces } from './selected-namespaces.ts';
import { isPolicy, targetOf, targetsOf } from './targets.ts';

/** Two sets of policies, and the requests by which they are compared. */
export interface DifferenceOptions {
  /** Policies, bindings and their dependencies; Kyverno's too. */
  readonly old: readonly KubernetesObject[];
  /** The policies to compare with them. */
  readonly new: readonly KubernetesObject[];
  /** The kinds of the server. */
  readonly schemas: Schemas;
  /** Objects that are tested unchanged and from which further objects are derived. */
  readonly resources?: readonly KubernetesObject[];
  /** The number of generated requests, of which equal ones are evaluated once (default: none). */
  readonly search?: number;
  /** The seed of the generated requests; equal seeds give equal requests (default: 1). */
  readonly seed?: number;
  /** How far the answers have to be the same; all of them unless said otherwise. */
  readonly likeness?: Likeness;
  /** Differences beyond this many are only counted as such; 20 unless said otherwise. */
  readonly most?: number;
  /** Differences with a known cause, which are counted and do not end the search. */
  readonly known?: readonly KnownDifference[];
  /** Verifies images for policies of Kyverno; without it, rules that verify images are not evaluated. */
  readonly images?: ChainOptions['images'];
  /** Returns the time in milliseconds since 1970. */
  readonly clock: () => number;
}

/** The result of a comparison. */
export interface Differences {
  /** The number of different requests that both sides evaluated. */
  readonly requests: number;
  /** The number of requests that the search generated; equal ones are evaluated once. */
  readonly generated: number;
  /** How many policies of each side denied, audited or changed something, of how many there are. */
  readonly covered: {
    readonly old: number;
    readonly new: number;
    readonly of: { readonly old: number; readonly new: number };
  };
  /** Those that nothing known explains. */
  readonly differences: readonly Difference[];
  /** Of how many requests the answers differ for each known reason. */
  readonly explained: readonly { readonly reason: string; readonly requests: number }[];
  /** Conditions in expressions that were never true, or never false. */
  readonly unreached: readonly Unreached[];
  /** Resources that kube-apiserver would reject; if there are any, nothing is compared. */
  readonly refused: readonly {
    readonly side: 'old' | 'new';
    readonly resource: string;
    readonly message: string;
  }[];
  /** Namespaces with the labels that selectors ask for, in which requests were made. */
  readonly namespaces: readonly KubernetesObject[];
  /** Kinds that nothing defines: they were searched as custom resources with any fields. */
  readonly assumed: readonly string[];
  /** The CustomResourceDefinitions that stand for them. */
  readonly definitions: readonly KubernetesObject[];
  /** Whether there are more than those. */
  readonly more: boolean;
}

const differenceOptions: Readonly<Record<keyof DifferenceOptions, OptionKind>> = {
  old: 'list',
  new: 'list',
  schemas: 'any',
  resources: 'list',
  search: 'number',
  seed: 'number',
  likeness: 'any',
  most: 'number',
  known: 'list',
  images: 'object',
  clock: 'function',
};

function requireDifferenceOptions(options: DifferenceOptions): void {
  requireOptions('findDifferences', options, differenceOptions);
  for (const name of ['old', 'new', 'clock'] as const) {
    if (options[name] === undefined)
      throw new TypeError(`findDifferences: \`${name}\` is undefined`);
  }
  requireSchemas('findDifferences', options.schemas);
}

/**
 * Finds requests of which two sets of policies do not say the same.
 *
 * @throws TypeError when the options are something else.
 */
export async function findDifferences(options: DifferenceOptions): Promise<Differences> {
  requireDifferenceOptions(options);
  const { clock, images, likeness = 'texts', most = 20, search = 0 } = options;
  const all = [...options.old, ...options.new];
  const policies = all.filter(isPolicy);
  const given = options.resources ?? [];
  const { schemas, assumed, definitions } = withAssumedKinds(options.schemas, policies, [
    ...given,
    ...all,
  ]);
  const namespaces = search > 0 ? selectedNamespaces(policies, [...given, ...all]) : [];
  const [before, after] = await Promise.all(
    [options.old, options.new].map((side) =>
      loadChain({ resources: [...side, ...namespaces], schemas, images, clock }),
    ),
  );
  if (before === undefined || after === undefined) throw new Error('two chains');
  const refused = [...refusalsOf('old', before), ...refusalsOf('new', after)];
  const comparison = new Comparison(before, after, { likeness, known: options.known ?? [] });
  const targets = targetsOf(policies, schemas);
  const resources = refused.length > 0 ? [] : given;
  const asksDeletion = targets.some(({ operations }) => operations.includes('DELETE'));
  for (const object of resources) askAbout(comparison, object, { schemas, asksDeletion });
  const random = new Random(options.seed ?? 1);
  const probe = branchProbe(all);
  const guide = new Guide(probe, await loadChain({ resources: probe.objects, schemas, clock }));
  const places = placesOf(all);
  places.addNames(
    'namespace',
    namespaces.map((each) => metadataString(each, 'name')),
  );
  const grower = new Grower(schemas, random, places);
  const asking = { random, targets, resources, grower, asked: places.ofRequest(), guide };
  const isSearched = targets.length > 0 && refused.length === 0;
  const generated = isSearched ? askRandomly(comparison, asking, { search, most }) : 0;
  return {
    requests: comparison.requests,
    generated,
    covered: {
      old: comparison.reached.old.size,
      new: comparison.reached.new.size,
      of: { old: policyCount(options.old), new: policyCount(options.new) },
    },
    unreached: search === 0 ? [] : guide.unreached(),
    differences: comparison.found.slice(0, most + comparison.explained.size * mostExplained),
    explained: [...comparison.explained].map(([reason, requests]) => ({ reason, requests })),
    refused,
    namespaces,
    assumed,
    definitions: definitions as readonly KubernetesObject[],
    more: comparison.open >= most,
  };
}

/** Tests the creation of an object and, on request, its deletion; skips objects of unknown kinds. */
function askAbout(
  comparison: Comparison,
  object: KubernetesObject,
  { schemas, asksDeletion }: { readonly schemas: Schemas; readonly asksDeletion: boolean },
): void {
  const target = targetOf(object, schemas);
  if (target === undefined) return;
  comparison.ask(requestFor(target, object, 'CREATE'));
  if (asksDeletion) comparison.ask(requestFor(target, undefined, 'DELETE', object));
}

/** A server would reject some of the grown requests. */
const triesForEach = 12;

/** Asks about so many generated requests, or until enough differ; returns how many. */
function askRandomly(
  comparison: Comparison,
  asking: Asking,
  { search, most }: { readonly search: number; readonly most: number },
): number {
  let generated = 0;
  for (let tries = 0; tries < search * triesForEach; tries++) {
    if (generated >= search || comparison.open >= most) break;
    const request = nextRequest(asking);
    const answer = comparison.ask(request);
    if (answer !== 'refused') generated++;
    if (answer === 'compared') asking.guide.learn(request, comparison.last);
  }
  return generated;
}

function refusalsOf(side: 'old' | 'new', { cluster }: Chain): Differences['refused'] {
  return cluster.errors.map(({ resource, message }) => ({ side, resource, message }));
}

function policyCount(objects: readonly JsonObject[]): number {
  return objects.filter(isPolicy).length;
}
