// Declared types as types of the CEL checker; apart, so that looking up names does not load the language.
export { type DeclaredStructs, declaredStructs, scalarType } from './declared/structs.ts';
