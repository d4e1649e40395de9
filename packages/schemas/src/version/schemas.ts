import type { CustomKinds, DefinitionIssue } from '../definitions/definition.ts';
import type { NameTable } from '../names/name-table.ts';
import type { TypeStore } from '../types/type-store.ts';

/**
 * The kinds that a kube-apiserver of one version knows, including definitions. Created by `loadSchemas` and
 * `withDefinitions`; immutable. All members except `version` are for functions of this package.
 */
export interface Schemas {
  /** Minor version, such as `1.37`. */
  readonly version: string;
  /** The second part of the version: 37 of 1.37. */
  readonly minor: number;
  /** All kinds and resources that Kubernetes brings. */
  readonly names: NameTable;
  /** The fields of kinds that were loaded. */
  readonly types: TypeStore;
  /** Kinds of CustomResourceDefinitions. */
  readonly custom: CustomKinds;
  /** Issues of the definitions that were added. */
  readonly issues: readonly DefinitionIssue[];
}
