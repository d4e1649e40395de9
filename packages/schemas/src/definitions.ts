// CustomResourceDefinitions and their structural schemas.

export { decodeDefinition } from './decode/decode-all.ts';
export {
  isDefinition,
  type ReadDefinition,
  readDefinition,
  type ScaleFields,
} from './definitions/definition.ts';
export { prune, pruned } from './definitions/normalize.ts';
export { readStructural, SchemaProblem, type StructuralSchema } from './definitions/structural.ts';
export { findDefinition, withReadDefinitions } from './version/custom-kinds.ts';
