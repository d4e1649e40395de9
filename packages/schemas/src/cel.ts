// Types that schemas declare to CEL. A separate entry, so that looking up names does not load the language.

export { leafDeclared } from './declared/builtin-types.ts';
export { declareSchema } from './declared/custom-types.ts';
export { declaredType } from './declared/declare.ts';
export type { DeclaredType } from './declared/declared-type.ts';
export { escapeProperty, unescapeProperty } from './declared/escape.ts';
export { type DeclaredStructs, declaredStructs, scalarType } from './declared/structs.ts';
