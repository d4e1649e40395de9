import { parseGroupVersion } from '../group-version/group-version.ts';
import type { GroupVersionKind } from '../group-version/group-version-kind.ts';
import { isObject, type JsonObject, member } from './json-object.ts';

/** A Kubernetes object of any kind as JSON (apimachinery `unstructured.Unstructured`). */
export type KubernetesObject = Readonly<JsonObject>;

/** The labels of an object by their keys. */
export type Labels = Readonly<Record<string, string>>;

/**
 * Returns the group, version and kind of an object, or `undefined` if `apiVersion` or `kind` is invalid. Without
 * `apiVersion` the group and the version are empty.
 */
export function kindOfObject(object: unknown): GroupVersionKind | undefined {
  if (typeof object !== 'object' || object === null) return undefined;
  const { apiVersion = '', kind } = object as { apiVersion?: unknown; kind?: unknown };
  if (typeof kind !== 'string' || kind === '') return undefined;
  if (apiVersion !== null && typeof apiVersion !== 'string') return undefined;
  const parsed = parseGroupVersion(apiVersion ?? '');
  return parsed && { group: parsed.group, version: parsed.version, kind };
}

/** Returns a string of an object's metadata, such as `name`; empty if absent. */
export function metadataString(object: unknown, key: string): string {
  const value = member(member(object, 'metadata'), key);
  return typeof value === 'string' ? value : '';
}

/**
 * Returns the labels of an object (apimachinery `Unstructured.GetLabels`). Null counts as an empty string; if any
 * other value is not a string, the result is empty.
 */
export function labelsOf(object: unknown): Labels {
  return stringMapOf(member(member(object, 'metadata'), 'labels'));
}

/** The annotations of an object, read as {@link labelsOf} reads labels (apimachinery `Unstructured.GetAnnotations`). */
export function annotationsOf(object: unknown): Readonly<Record<string, string>> {
  return stringMapOf(member(member(object, 'metadata'), 'annotations'));
}

const none: Labels = Object.freeze({});

/** A map of strings, read as {@link labelsOf} reads labels. */
export function stringMapOf(value: unknown): Readonly<Record<string, string>> {
  if (!isObject(value)) return none;
  let hasNull = false;
  for (const key of Object.keys(value)) {
    if (value[key] === null) hasNull = true;
    else if (typeof value[key] !== 'string') return none;
  }
  return (hasNull ? withoutNulls(value) : value) as Record<string, string>;
}

function withoutNulls(map: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, value ?? '']));
}
