/**
 * The list that is nil to Go, of which there is but one: a list without elements to everything that reads it, but null
 * in JSON. Expressions make it of an empty list literal.
 */
export const nilList: readonly never[] = Object.freeze([]);
