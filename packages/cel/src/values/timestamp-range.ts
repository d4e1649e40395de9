/** The first second of year 1, the earliest that CEL allows. */
export const minTimestampSeconds: number = -62135596800;
/** The last second of year 9999, the latest that CEL allows. */
export const maxTimestampSeconds: number = 253402300799;
