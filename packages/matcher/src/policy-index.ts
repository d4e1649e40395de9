import type { MatchResources, RequestAttributes } from '@kubeadmit/engine/internal';
import { type CompiledMatch, type MatchEnvironment, prospectOf } from './match.ts';
import { splitResource } from './resource-rule.ts';

/** References to entries that are kept over all kinds of requests. */
const keptReferences = 1_000_000;

/** Kinds of requests whose entries are kept. */
const keptKinds = 4096;

/** Something that has match criteria. */
export interface Indexed<Entry> {
  /** What the entry is about. */
  readonly criteria: MatchResources;
  /** The criteria, compiled. */
  readonly match: CompiledMatch;
  /** Further criteria, one of which has to match too; `undefined` among them matches everything. */
  readonly alternatives: readonly (CompiledMatch | undefined)[];
  /** What is found. */
  readonly entry: Entry;
}

/**
 * Finds the policies that may be about a request, so that it pays for those only.
 *
 * Everything counts that does not depend on objects and names: rules, scopes, operations, the selector
 * of namespaces. Entries come in the order in which they were given. What was found for a kind of
 * requests is kept.
 *
 * INVARIANT: the labels of a namespace and the kinds of the environment stay the same for one index.
 */
export class PolicyIndex<Entry> {
  readonly #indexed: readonly Indexed<Entry>[];
  readonly #byKey: Map<string, number[]> = new Map();
  readonly #found: Map<string, readonly Entry[]> = new Map();
  #references: number = 0;

  constructor(indexed: readonly Indexed<Entry>[]) {
    this.#indexed = indexed;
    for (const [position, { criteria }] of indexed.entries()) this.#add(position, criteria);
  }

  /** The entries that may be about a request. */
  candidates(request: RequestAttributes, environment: MatchEnvironment): readonly Entry[] {
    if (this.#indexed.length === 0) return [];
    const key = kindOfRequest(request);
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    const candidates = this.#find(request, environment);
    this.#references += candidates.length;
    // Requests may name resources that do not exist; those must not fill the memory.
    if (this.#found.size >= keptKinds || this.#references > keptReferences) {
      this.#found.clear();
      this.#references = candidates.length;
    }
    this.#found.set(key, candidates);
    return candidates;
  }

  #find(request: RequestAttributes, environment: MatchEnvironment): readonly Entry[] {
    const { resource } = request;
    const equivalents = environment.equivalents(resource);
    const positions = new Set<number>();
    for (const each of [resource, ...equivalents]) {
      for (const group of [each.group, '*']) {
        for (const name of [each.resource, '*']) {
          for (const position of this.#byKey.get(keyOf(group, name)) ?? []) positions.add(position);
        }
      }
    }
    const known: MatchEnvironment = { ...environment, equivalents: () => equivalents };
    const candidates: Entry[] = [];
    for (const position of [...positions].sort((a, b) => a - b)) {
      const indexed = this.#indexed[position] as Indexed<Entry>;
      if (mayConcern(indexed, request, known)) candidates.push(indexed.entry);
    }
    return candidates;
  }

  #add(position: number, criteria: MatchResources): void {
    const rules = criteria.resourceRules ?? [];
    const keys = new Set(rules.length === 0 ? [keyOf('*', '*')] : []);
    for (const rule of rules) {
      for (const group of rule.apiGroups ?? []) {
        for (const entry of rule.resources ?? []) {
          keys.add(keyOf(group, splitResource(entry).resource));
        }
      }
    }
    for (const key of keys) {
      const positions = this.#byKey.get(key);
      if (positions === undefined) this.#byKey.set(key, [position]);
      else positions.push(position);
    }
  }
}

function mayConcern(
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

function kindOfRequest({
  kind,
  resource,
  subresource,
  operation,
  namespace,
}: RequestAttributes): string {
  const { group, version, resource: name } = resource;
  const head = `${operation}\n${namespace}\n${group}\n${version}\n${name}\n${subresource}`;
  return `${head}\n${kind.group}\n${kind.version}\n${kind.kind}`;
}

function keyOf(group: string, resource: string): string {
  return `${group}/${resource}`;
}
