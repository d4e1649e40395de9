// Declared types as types of the CEL checker; apart, so that looking up names does not load the language.
export { type DeclaredStructs, declaredStructs } from './declared/structs.ts';
