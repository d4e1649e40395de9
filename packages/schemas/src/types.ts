// Fields of kinds, as Go's structs declare them.

export { type Shape, type ShapeKind, structShape, zeroScalar } from './types/shape.ts';
export type { Field, StructType, TypeStore } from './types/type-store.ts';
export { isSameStruct } from './version/semantic-equality.ts';
export { listKinds, structNamed, structOf } from './version/structs.ts';
