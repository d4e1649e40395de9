/** The facts about the built-in kinds of one Kubernetes minor version. */
export interface VersionModel {
  /** Exact version that the facts come from, such as `1.37.1`. */
  readonly patch: string;
  /** Groups in the server's order, each with its versions, the preferred one first. */
  readonly groups: readonly GroupRow[];
  readonly resources: readonly ResourceRow[];
  readonly kinds: readonly KindRow[];
  /** Types by their short name, such as `core.v1.Pod`. */
  readonly types: ReadonlyMap<string, TypeModel>;
}

export type GroupRow = readonly [group: string, versions: readonly string[]];

export interface ResourceRow {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly singular: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly verbs: readonly string[];
  readonly subresources: readonly SubresourceRow[];
}

export interface SubresourceRow {
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly verbs: readonly string[];
  readonly connect?: boolean;
}

export interface KindRow {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly type: string;
  /** False where the group/version's own OpenAPI document lacks the kind. */
  readonly published: boolean;
}

export interface TypeModel {
  readonly map?: 'atomic' | 'granular';
  readonly fields: readonly FieldModel[];
}

/** A field: its key, its Go shape with the options of its tag, and the facts that the shape does not contain. */
export interface FieldModel {
  readonly name: string;
  readonly shape: string;
  readonly facts: FieldFacts;
}

export interface FieldFacts {
  /** The type as Go's error texts show it. */
  readonly go?: string;
  /** Names of the inlined Go structs that hold the field; they appear in paths of Go's error texts. */
  readonly inside?: string;
  readonly list?: 'set' | 'map' | 'atomic';
  readonly keys?: readonly string[];
  readonly map?: 'atomic' | 'granular';
  /** The default for the field in the key of a list element that lacks it. */
  readonly key?: unknown;
}

const prefixes: readonly (readonly [string, string])[] = [
  ['io.k8s.apimachinery.pkg.apis.meta.', 'meta.'],
  ['io.k8s.apiextensions-apiserver.pkg.apis.', ''],
  ['io.k8s.kube-aggregator.pkg.apis.', ''],
  ['io.k8s.api.', ''],
];

/** The short name of a type: `core.v1.Pod` for `io.k8s.api.core.v1.Pod`. */
export function shortName(name: string): string {
  for (const [long, short] of prefixes) {
    if (name.startsWith(long)) return short + name.slice(long.length);
  }
  throw new Error(`a type of an unknown package: ${name}`);
}

/** The package of a short name: `core.v1` for `core.v1.Pod`. */
export function packageOf(type: string): string {
  return type.slice(0, type.lastIndexOf('.'));
}
