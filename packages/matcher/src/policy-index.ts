import type { GroupVersionResource } from '@kubeadmit/apimachinery';
import { sameKind, sameResource } from '@kubeadmit/apimachinery/internal';
import type { MatchResources, RequestAttributes } from '@kubeadmit/engine/internal';
import { compareText } from '@kubeadmit/go';
import { requireMatch } from './arguments.ts';
import { type CompiledMatch, type MatchEnvironment, prospectOf } from './match.ts';
import { splitResource } from './resource-rule.ts';

/** References to entries that are kept over all kinds of requests. */
const keptReferences = 1_000_000;

/** Kinds of requests whose entries are kept. */
const keptKinds = 4096;

/** Something that has match criteria. */
export interface Indexed<Entry> {
  /** What the order of the entries goes by. */
  readonly name: string;
  /** What the entry is about. */
  readonly criteria: MatchResources;
  /** The criteria, compiled. */
  readonly match: CompiledMatch;
  /** Further criteria, one of which has to match too; `undefined` among them matches everything. */
  readonly alternatives: readonly (CompiledMatch | undefined)[];
  /** What is found. */
  readonly entry: Entry;
}

/** What finds the entries that may be about a request. */
export interface PolicyFinder<Entry> {
  /** The entries that may be about a request, in the order of their names; those of one name as they were given. */
  candidates(request: RequestAttributes, environment: MatchEnvironment): readonly Entry[];
}

/**
 * Finds the policies that may be about a request, so that it pays for those only.
 *
 * Everything counts that does not depend on objects and names: rules, scopes, operations, the selector
 * of namespaces. What was found for a kind of requests is kept.
 *
 * INVARIANT: the labels of a namespace and the kinds of the environment stay the same for one index.
 */
export class PolicyIndex<Entry> implements PolicyFinder<Entry> {
  readonly #indexed: readonly Indexed<Entry>[];
  readonly #byKey: Map<string, number[]> = new Map();
  readonly #found: KeptFinds<readonly Entry[]> = new KeptFinds();
  #last: LastFind<readonly Entry[]> | undefined;

  /** @throws TypeError for criteria that are not compiled */
  constructor(indexed: Iterable<Indexed<Entry>>) {
    this.#indexed = [...indexed].sort((a, b) => compareText(a.name, b.name));
    for (const [place, { criteria, match }] of this.#indexed.entries()) {
      requireMatch('PolicyIndex', match);
      for (const key of keysOf(criteria)) {
        const places = this.#byKey.get(key);
        if (places === undefined) this.#byKey.set(key, [place]);
        else places.push(place);
      }
    }
  }

  candidates(request: RequestAttributes, environment: MatchEnvironment): readonly Entry[] {
    if (this.#indexed.length === 0) return [];
    if (this.#last !== undefined && isAlike(this.#last.request, request)) return this.#last.found;
    const key = kindOfRequest(request);
    let found = this.#found.get(key);
    if (found === undefined) {
      found = this.#find(request, environment);
      this.#found.keep(key, found, found.length);
    }
    const { kind, resource, subresource, operation, namespace } = request;
    this.#last = { request: { kind, resource, subresource, operation, namespace }, found };
    return found;
  }

  #find(request: RequestAttributes, environment: MatchEnvironment): readonly Entry[] {
    const equivalents = environment.equivalents(request.resource);
    const places = new Set<number>();
    for (const key of keysOfRequest(request, equivalents)) {
      for (const place of this.#byKey.get(key) ?? []) places.add(place);
    }
    const known: MatchEnvironment = { ...environment, equivalents: () => equivalents };
    const found: Entry[] = [];
    for (const place of [...places].sort((a, b) => a - b)) {
      const indexed = this.#indexed[place] as Indexed<Entry>;
      if (mayConcern(indexed, request, known)) found.push(indexed.entry);
    }
    return found;
  }
}

/** All of a request that candidates depend on. */
type RequestKind = Pick<
  RequestAttributes,
  'kind' | 'resource' | 'subresource' | 'operation' | 'namespace'
>;

// Requests in a row are often of one kind, and to compare takes less than to make a key.
interface LastFind<Found> {
  readonly request: RequestKind;
  readonly found: Found;
}

function isAlike(a: RequestKind, b: RequestKind): boolean {
  return (
    a.operation === b.operation &&
    a.namespace === b.namespace &&
    a.subresource === b.subresource &&
    sameResource(a.resource, b.resource) &&
    sameKind(a.kind, b.kind)
  );
}

/**
 * What was found for kinds of requests. Requests may name resources that do not exist; those must not fill the memory.
 */
export class KeptFinds<Found> extends Map<string, Found> {
  /** How many entries are in all that was found. */
  references = 0;

  /**
   * @param references how many entries are found
   * @param more how many more than in what was kept under this key
   */
  keep(key: string, found: Found, references: number, more: number = references): void {
    this.references += more;
    if (this.size >= keptKinds || this.references > keptReferences) {
      this.clear();
      this.references = references;
    }
    this.set(key, found);
  }
}

/** The keys under which criteria are found: group and resource of each rule. */
export function keysOf(criteria: MatchResources): readonly string[] {
  const rules = criteria.resourceRules ?? [];
  const keys = new Set(rules.length === 0 ? [keyOf('*', '*')] : []);
  for (const rule of rules) {
    for (const group of rule.apiGroups ?? []) {
      for (const entry of rule.resources ?? []) {
        keys.add(keyOf(group, splitResource(entry).resource));
      }
    }
  }
  return [...keys];
}

/** The keys of criteria that may be about a request. */
export function keysOfRequest(
  { resource }: RequestAttributes,
  equivalents: readonly GroupVersionResource[],
): readonly string[] {
  const keys: string[] = [];
  for (const each of [resource, ...equivalents]) {
    for (const group of [each.group, '*']) {
      for (const name of [each.resource, '*']) keys.push(keyOf(group, name));
    }
  }
  return keys;
}

/** Whether an entry may be about a request, whatever its object and its name are. */
export function mayConcern(
  { match, alternatives }: Indexed<unknown>,
  request: RequestAttributes,
  environment: MatchEnvironment,
): boolean {
  const prospect = prospectOf(match, request, environment);
  if (prospect !== 'match') return prospect === 'error';
  return alternatives.some(
    (each) => each === undefined || prospectOf(each, request, environment) !== 'none',
  );
}

/** All of a request that candidates depend on, as a key. */
export function kindOfRequest({
  kind,
  resource,
  subresource,
  operation,
  namespace,
}: RequestKind): string {
  const { group, version, resource: name } = resource;
  const head = `${operation}\n${namespace}\n${group}\n${version}\n${name}\n${subresource}`;
  return `${head}\n${kind.group}\n${kind.version}\n${kind.kind}`;
}

function keyOf(group: string, resource: string): string {
  return `${group}/${resource}`;
}
