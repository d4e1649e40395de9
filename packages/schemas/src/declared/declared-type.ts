/**
 * A type that kube-apiserver declares to CEL for a schema (apiserver, `cel.DeclType`), with the sizes that cost
 * estimates need.
 */
export interface DeclaredType {
  /** The kind of type. */
  readonly kind:
    | 'dyn'
    | 'bool'
    | 'int'
    | 'double'
    | 'string'
    | 'bytes'
    | 'duration'
    | 'timestamp'
    | 'list'
    | 'map'
    | 'object';
  /** The element type of a list, or of a map with string keys. */
  readonly element?: DeclaredType;
  /** The fields of an object by their escaped names. */
  readonly fields?: ReadonlyMap<string, DeclaredField>;
  /** The most elements of a list or map, or characters of a text, that fit into a request. */
  readonly maxElements?: number;
  /** The fewest bytes that a value takes in JSON. */
  readonly minSize: number;
}

export interface DeclaredField {
  /** The name in JSON; in CEL it is escaped. */
  readonly name: string;
  readonly type: DeclaredType;
  readonly required: boolean;
}

/** The largest request, in bytes (apiserver, `DefaultMaxRequestSizeBytes`). */
const maxRequestSize = 3 * 1024 * 1024;

/** The maximum number of characters of a string without its own limit. */
export const maxTextLength: number = maxRequestSize - 2;

const simple = {
  bool: { kind: 'bool', minSize: 4 },
  int: { kind: 'int', minSize: 1 },
  double: { kind: 'double', minSize: 1 },
} as const;

/** Types that do not depend on a schema. */
export const boolDeclared: DeclaredType = simple.bool;
export const intDeclared: DeclaredType = simple.int;
export const doubleDeclared: DeclaredType = simple.double;

/** Text with at most so many bytes. */
export function textDeclared(maxElements: number = maxTextLength): DeclaredType {
  return { kind: 'string', minSize: 2, maxElements };
}

/** Base64 text, bytes in CEL. */
export function bytesDeclared(maxElements: number = maxTextLength): DeclaredType {
  return { kind: 'bytes', minSize: 2, maxElements };
}

/** An integer or a text; everything about it is checked at run time. */
export function intOrStringDeclared(maxElements: number = maxTextLength): DeclaredType {
  return { kind: 'dyn', minSize: 1, maxElements };
}

/** A text in the format `date-time` or `date`. */
export function timestampDeclared(format: 'date-time' | 'date'): DeclaredType {
  return format === 'date'
    ? { kind: 'timestamp', minSize: 12, maxElements: 12 }
    : { kind: 'timestamp', minSize: 21, maxElements: 32 };
}

/** A text in the format `duration`. */
export const durationDeclared: DeclaredType = { kind: 'duration', minSize: 3, maxElements: 32 };

/** A list; its length is bounded by the request when there is no other limit. */
export function listDeclared(element: DeclaredType, maxItems?: number): DeclaredType {
  const maxElements = maxItems ?? Math.floor((maxRequestSize - 2) / (element.minSize + 1));
  return { kind: 'list', element, maxElements, minSize: 2 };
}

/** A map with string keys. */
export function mapDeclared(element: DeclaredType, maxProperties?: number): DeclaredType {
  const maxElements = maxProperties ?? Math.floor((maxRequestSize - 2) / (element.minSize + 6));
  return { kind: 'map', element, maxElements, minSize: 2 };
}

/** An object with no fields that CEL can see. */
export const emptyDeclared: DeclaredType = { kind: 'object', fields: new Map(), minSize: 2 };
