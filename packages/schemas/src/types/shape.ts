/** The Go type of a value, reduced to the facts for decoding and merging. */
export interface Shape {
  /** The kind of value. */
  readonly kind: ShapeKind;
  /** True for a Go pointer: a zero value that was given is kept. */
  readonly pointer: boolean;
  /** The type as Go's error texts show it, without the pointer. */
  readonly go: string;
  /** The shape of a list's or map's elements. */
  readonly element?: Shape;
  /** The kind of free-form value, such as `raw` for `runtime.RawExtension`. */
  readonly free?: string;
  /** The name of a struct, such as `core.v1.PodSpec`. */
  readonly struct?: string;
  /** How a type with custom JSON reads a value: the first choice for lists, or the first for other values. */
  readonly choices?: readonly Shape[];
  /** The message of such a type for a value that it cannot read, if it differs from the usual one. */
  readonly refusal?: string;
}

/** The kind of a value for decoding. `any` accepts any JSON unchanged; `own` has custom JSON, one of `choices`. */
export type ShapeKind =
  | 'string'
  | 'bool'
  | 'int32'
  | 'int64'
  | 'float64'
  | 'bytes'
  | 'time'
  | 'microtime'
  | 'quantity'
  | 'intorstring'
  | 'any'
  | 'own'
  | 'list'
  | 'map'
  | 'struct';

const leaves: Readonly<Record<string, readonly [ShapeKind, string]>> = {
  string: ['string', 'string'],
  bool: ['bool', 'bool'],
  int: ['int64', 'int'],
  int32: ['int32', 'int32'],
  int64: ['int64', 'int64'],
  float64: ['float64', 'float64'],
  bytes: ['bytes', '[]uint8'],
  time: ['time', 'v1.Time'],
  microtime: ['microtime', 'v1.MicroTime'],
  quantity: ['quantity', 'resource.Quantity'],
  intorstring: ['intorstring', 'intstr.IntOrString'],
};

/** The Go types of values that are kept as they are. */
const freeNames: Readonly<Record<string, string>> = {
  raw: 'runtime.RawExtension',
  fields: 'v1.FieldsV1',
  json: 'v1.JSON',
  schemaorbool: 'v1.JSONSchemaPropsOrBool',
  schemaorarray: 'v1.JSONSchemaPropsOrArray',
  schemaorstrings: 'v1.JSONSchemaPropsOrStringArray',
};

/**
 * Reads the text of a shape, such as `[]core.v1.Container`, `*int32`, `{}quantity` or `own:[]string|core.v1.Pod`.
 * @param go the type as Go shows it, where it does not follow from the text
 */
export function parseShape(text: string, go?: string): Shape {
  if (text.startsWith('*')) {
    return { ...parseShape(text.slice(1), go?.replace(/^\*/, '')), pointer: true };
  }
  const container = text.startsWith('[]') ? 'list' : text.startsWith('{}') ? 'map' : undefined;
  if (container) {
    const element = parseShape(text.slice(2), elementName(container, go));
    const own = `${container === 'list' ? '[]' : 'map[string]'}${element.pointer ? '*' : ''}${element.go}`;
    return { kind: container, pointer: false, go: go ?? own, element };
  }
  if (text.startsWith('own:')) {
    const choices = text.slice('own:'.length).split('|');
    return {
      kind: 'own',
      pointer: false,
      go: go ?? text,
      choices: choices.map((choice) => parseShape(choice)),
    };
  }
  const leaf = Object.hasOwn(leaves, text) ? leaves[text] : undefined;
  if (leaf) return { kind: leaf[0], pointer: false, go: go ?? leaf[1] };
  if (!text.includes('.')) {
    return { kind: 'any', pointer: false, go: go ?? freeNames[text] ?? text, free: text };
  }
  const name = text.split('.').slice(-2).join('.');
  return structShape(text, go ?? name);
}

/** The shape of an object of a struct such as `core.v1.Pod`. */
export function structShape(struct: string, go: string = struct): Shape {
  return { kind: 'struct', pointer: false, go, struct };
}

/** The Go name of the elements when the container's Go name shows it. */
function elementName(container: 'list' | 'map', go: string | undefined): string | undefined {
  if (!go) return undefined;
  if (container === 'list') return go.startsWith('[]') ? go.slice(2) : undefined;
  return /^map\[[^\]]*\](.*)$/.exec(go)?.[1];
}

/** The zero value of a type as the server writes it; undefined for types whose zero value is nil, and for structs. */
export function zeroScalar({ kind }: Shape): string | number | boolean | undefined {
  switch (kind) {
    case 'string':
      return '';
    case 'bool':
      return false;
    case 'int32':
    case 'int64':
    case 'float64':
    case 'intorstring':
      return 0;
    case 'quantity':
      return '0';
    default:
      return undefined;
  }
}
