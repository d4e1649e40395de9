import type { CustomKinds, DefinitionIssue } from './definitions/definition.ts';
import type { NameTable } from './names/name-table.ts';
import type { TypeStore } from './types/type-store.ts';

/**
 * What a kube-apiserver of one version knows about kinds, definitions included. Made by `loadSchemas` and
 * `withDefinitions`; immutable. All but `version` is for the functions of this package.
 */
export interface Schemas {
  /** Minor version, such as `1.37`. */
  readonly version: string;
  readonly minor: number;
  readonly names: NameTable;
  readonly types: TypeStore;
  readonly custom: CustomKinds;
  readonly issues: readonly DefinitionIssue[];
}
