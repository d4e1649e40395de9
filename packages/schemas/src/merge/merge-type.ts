/** The scalars that a field takes; `untyped` takes all. */
export type MergeScalar = 'numeric' | 'string' | 'boolean' | 'untyped';

/**
 * How values of a type are merged (structured-merge-diff, `schema.Atom`): each member describes values of that
 * shape; shapes without a member are rejected.
 */
export interface MergeType {
  /** How scalars are merged. */
  readonly scalar?: MergeScalar | undefined;
  /** How lists are merged. */
  readonly list?: MergeList | undefined;
  /** How maps are merged. */
  readonly map?: MergeMap | undefined;
}

/** How lists are merged. */
export interface MergeList {
  /** The type of the elements. */
  readonly element: MergeType;
  /** A new list replaces the old one. */
  readonly atomic: boolean;
  /** The keys of the elements; none for a set of scalars. */
  readonly keys: readonly string[];
}

/** How maps and structs are merged. */
export interface MergeMap {
  /** A new map replaces the old one. */
  readonly atomic: boolean;
  /** Returns a declared field, or `undefined`. */
  field(name: string): MergeField | undefined;
  /** The names of the declared fields, where any are. */
  names?(): readonly string[];
  /** The type of members that are not declared; without it there may be none. */
  readonly element?: MergeType | undefined;
  /**
   * The declared fields below which a decoded value may still be invalid, such as elements of lists without their keys.
   * Absent if nothing is known about decoding.
   */
  readonly doubtful?: readonly string[];
}

/** A declared field. */
export interface MergeField {
  readonly type: MergeType;
  /** The value that identifies a list element which leaves the field out. */
  readonly default?: MergeDefault;
}

/** A JSON value that a schema gives as a default. */
export type MergeDefault =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly MergeDefault[]
  | { readonly [key: string]: MergeDefault };
