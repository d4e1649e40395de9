import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { setKey } from '@kubeadmit/base';
import { hasWildcard, matchesWildcard } from '../match/wildcard.ts';
import { formatAnchor, parseAnchor, plainKey } from '../patterns/anchor.ts';

/**
 * Replaces wildcard keys in the labels and annotations of a pattern by keys of the resource, in place.
 *
 * Members that are not strings are lost if both sides have the map (Kyverno's `ExpandInMetadata`).
 */
export function expandMetadataWildcards(pattern: JsonObject, resource: JsonObject): void {
  const metadata = findMember(pattern, 'metadata')?.[1];
  const resourceMetadata = Object.hasOwn(resource, 'metadata') ? resource['metadata'] : undefined;
  if (!isObject(metadata) || !isObject(resourceMetadata)) return;
  for (const name of ['labels', 'annotations']) {
    const wanted = findMember(metadata, name);
    const actual = findMember(resourceMetadata, name)?.[1];
    if (wanted === undefined || !isObject(wanted[1]) || !isObject(actual)) continue;
    metadata[wanted[0]] = expandKeys(wanted[1], actual);
  }
}

function findMember(object: JsonObject, name: string): readonly [string, unknown] | undefined {
  for (const key of Object.keys(object)) if (plainKey(key) === name) return [key, object[key]];
  return undefined;
}

function expandKeys(wanted: JsonObject, actual: JsonObject): JsonObject {
  const expanded: JsonObject = {};
  const candidates = Object.keys(actual).filter((key) => typeof actual[key] === 'string');
  for (const key of Object.keys(wanted)) {
    const value = wanted[key];
    if (typeof value === 'string') setKey(expanded, expandKey(key, candidates), value);
  }
  return expanded;
}

function expandKey(key: string, candidates: readonly string[]): string {
  if (!hasWildcard(key)) return key;
  const anchor = parseAnchor(key);
  const pattern = anchor?.key ?? key;
  const match = candidates.find((candidate) => matchesWildcard(pattern, candidate)) ?? pattern;
  return anchor === undefined ? match : formatAnchor(anchor.modifier, match);
}

/** Whether a pattern has labels or annotations anywhere that `expandMetadataWildcards` may change. */
export function expandsMetadata(pattern: unknown): boolean {
  if (Array.isArray(pattern)) return pattern.some(expandsMetadata);
  if (!isObject(pattern)) return false;
  for (const key of Object.keys(pattern)) {
    const value = pattern[key];
    if (plainKey(key) === 'metadata' && isObject(value) && hasChangingMaps(value)) return true;
    if (typeof value === 'object' && expandsMetadata(value)) return true;
  }
  return false;
}

function hasChangingMaps(metadata: JsonObject): boolean {
  return Object.keys(metadata).some((key) => {
    const name = plainKey(key);
    const map = metadata[key];
    if ((name !== 'labels' && name !== 'annotations') || !isObject(map)) return false;
    return Object.keys(map).some((label) => hasWildcard(label) || typeof map[label] !== 'string');
  });
}
