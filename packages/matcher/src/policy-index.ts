import type { GroupVersionResource, MatchResources } from '@kubeadmit/engine';
import { splitResource } from './resource-rule.ts';

const keptResources = 4096;

/** Something that has match criteria. */
export interface Indexed<Entry> {
  readonly match: MatchResources;
  readonly entry: Entry;
}

/**
 * Finds the policies that may be about a resource, so that a request pays for those only.
 *
 * Entries come in the order in which they were given. What was found for a resource is kept.
 */
export class PolicyIndex<Entry> {
  private readonly entries: readonly Entry[];
  private readonly byKey: Map<string, number[]> = new Map();
  private readonly found: Map<string, readonly Entry[]> = new Map();

  constructor(indexed: readonly Indexed<Entry>[]) {
    this.entries = indexed.map(({ entry }) => entry);
    for (const [position, { match }] of indexed.entries()) this.add(position, match);
  }

  /** The entries that may be about a resource or one of its equivalents. */
  candidates(
    resource: GroupVersionResource,
    equivalents: readonly GroupVersionResource[],
  ): readonly Entry[] {
    const key = keyOf(resource.group, resource.resource);
    const known = this.found.get(key);
    if (known !== undefined) return known;
    const positions = new Set<number>();
    for (const each of [resource, ...equivalents]) {
      for (const group of [each.group, '*']) {
        for (const name of [each.resource, '*']) {
          for (const position of this.byKey.get(keyOf(group, name)) ?? []) positions.add(position);
        }
      }
    }
    const candidates = [...positions]
      .sort((a, b) => a - b)
      .flatMap((position) => this.entries[position] ?? []);
    // Requests may name resources that do not exist; those must not fill the memory.
    if (this.found.size >= keptResources) this.found.clear();
    this.found.set(key, candidates);
    return candidates;
  }

  private add(position: number, match: MatchResources): void {
    const rules = match.resourceRules ?? [];
    const keys = new Set(rules.length === 0 ? [keyOf('*', '*')] : []);
    for (const rule of rules) {
      for (const group of rule.apiGroups ?? []) {
        for (const entry of rule.resources ?? []) {
          keys.add(keyOf(group, splitResource(entry).resource));
        }
      }
    }
    for (const key of keys) {
      const positions = this.byKey.get(key);
      if (positions === undefined) this.byKey.set(key, [position]);
      else positions.push(position);
    }
  }
}

function keyOf(group: string, resource: string): string {
  return `${group}/${resource}`;
}
