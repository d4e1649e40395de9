// Loading

// Types for CEL
export { type DeclareOptions, declareSchema } from './declared/custom-types.ts';
export { declaredType } from './declared/declare.ts';
export type { DeclaredField, DeclaredType } from './declared/declared-type.ts';
export { escapeProperty, unescapeProperty } from './declared/escape.ts';
// Objects
export { convertVersion } from './decode/convert-version.ts';
export { metadataError } from './decode/custom.ts';
export { withCustomDefaults } from './decode/custom-defaults.ts';
export {
  convertBack,
  decode,
  hasGoForm,
} from './decode/decode.ts';
export type { Decoded, DecodeOptions } from './decode/decoded.ts';
export { type DecodedAll, decodeAll } from './decode/decode-all.ts';
export { decodeDefinition } from './decode/decode-definition.ts';
export { timeProblem } from './decode/time.ts';
// Definitions
export { definitionIssues, findDefinition, withDefinitions } from './definitions/custom-kinds.ts';
export {
  type Definition,
  type DefinitionIssue,
  type DefinitionVersion,
  isDefinition,
  readDefinition,
} from './definitions/definition.ts';
export { prune, pruned, setDefaults } from './definitions/normalize.ts';
export { readStructural, SchemaProblem, type StructuralSchema } from './definitions/structural.ts';
export { nilList } from './json.ts';
export { type LoadOptions, loadSchemas } from './load.ts';
// Merging
export type {
  MergeDefault,
  MergeField,
  MergeList,
  MergeMap,
  MergeScalar,
  MergeType,
} from './merge/merge-type.ts';
export { mergeType, objectType } from './merge/find-merge-type.ts';
// Names
export {
  equivalentResources,
  findKind,
  findResource,
  findResourceOfKind,
  isNamespaced,
  type KindHome,
  listResources,
  otherVersionsOf,
  preferredVersion,
} from './names/lookup.ts';
export type { Resource, Subresource } from './names/names.ts';
export { type Resolution, resolveName } from './names/resolve.ts';
export type { Schemas } from './schemas.ts';
export type { Shape, ShapeKind } from './types/shape.ts';
// Fields
export { listKinds, structNamed, structOf } from './types/structs.ts';
export type { Field, StructType } from './types/type-store.ts';
export { knownVersions, newestVersion, UnknownVersionError } from './version.ts';
