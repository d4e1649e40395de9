// Fields of kinds, as Go's structs declare them.

export { isSameStruct } from './types/semantic-equality.ts';
export { type Shape, type ShapeKind, structShape, zeroScalar } from './types/shape.ts';
export { listKinds, structNamed, structOf } from './types/structs.ts';
export type { Field, StructType, TypeStore } from './types/type-store.ts';
