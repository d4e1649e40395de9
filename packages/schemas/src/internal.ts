// Shared with other packages of kubeadmit; unstable.

// Fields of kinds
export { isSameStruct } from './types/semantic-equality.ts';
export { type Shape, type ShapeKind, structShape, zeroScalar } from './types/shape.ts';
export { structSyntax } from './types/struct-syntax.ts';
export { structText } from './types/struct-text.ts';
export { listKinds, structNamed, structOf } from './types/structs.ts';
export type { Field, StructType, TypeStore } from './types/type-store.ts';

// Names, as the data has them
export {
  isOf,
  type Lifetime,
  type PackedGroupVersion,
  type PackedKind,
  type PackedResource,
  servedGroups,
  unpackKinds,
  unpackResource,
  usualResource,
  usualSubresource,
} from './names/packed-catalog.ts';

// Types for CEL
export { leafDeclared } from './declared/builtin-types.ts';
export { declareSchema } from './declared/custom-types.ts';
export { declaredType } from './declared/declare.ts';
export type { DeclaredType } from './declared/declared-type.ts';
export { escapeProperty, unescapeProperty } from './declared/escape.ts';

// Decoding
export { metadataError } from './decode/custom.ts';
export {
  withCurrentSchema,
  withCustomDefaults,
  withoutUnknownFields,
} from './decode/custom-defaults.ts';
export { convertBack, hasGoForm, unknownFieldWarnings } from './decode/decode.ts';
export { requireSchemas } from './types/require-schemas.ts';
export { jsonProblem } from './decode/json-problem.ts';
export { internalForm, keepInternalForm } from './decode/internal-form.ts';
export { decodeAll } from './decode/decode-all.ts';
export { decodeApiService, decodeDefinition } from './decode/decode-all.ts';
export { timeProblem } from './decode/time.ts';
export { nilList } from './definitions/normalize.ts';

// Definitions and their schemas
export { findDefinition, withReadDefinitions } from './definitions/custom-kinds.ts';
export {
  isDefinition,
  type ReadDefinition,
  readDefinition,
  type ScaleFields,
} from './definitions/definition.ts';
export { prune, pruned } from './definitions/normalize.ts';
export { readStructural, SchemaProblem, type StructuralSchema } from './definitions/structural.ts';

// Merging
export type {
  MergeList,
  MergeMap,
  MergeScalar,
  MergeType,
} from './merge/merge-type.ts';
export { mergeType, objectType } from './merge/find-merge-type.ts';
