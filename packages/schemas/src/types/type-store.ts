import { LineTable } from './line-table.ts';
import { parseShape, type Shape } from './shape.ts';

/** A struct of one Kubernetes version. */
export interface StructType {
  /** Short name with its Go package, such as `core.v1.PodSpec`. */
  readonly name: string;
  /** Name without its package, such as `PodSpec`. */
  readonly ownName: string;
  /** Fields in the order in which the server writes them. */
  readonly fields: readonly Field[];
  /** The fields by name. */
  readonly byName: ReadonlyMap<string, Field>;
  /** How the struct merges; absent means field by field. */
  readonly map?: 'atomic' | 'granular';
}

/** A field of a struct. */
export interface Field {
  /** The name in JSON. */
  readonly name: string;
  /** The Go type. */
  readonly shape: Shape;
  /** Dropped when false, 0, empty or nil. */
  readonly omitEmpty: boolean;
  /** Dropped when a zero struct or time. */
  readonly omitZero: boolean;
  /** Written even when it is nil or zero. */
  readonly always: boolean;
  /** Where Go's error texts find the field: names of inlined structs, then its own. */
  readonly path: string;
  /** The names of inlined structs that hold the field, such as `TypeMeta`. */
  readonly inside?: string;
  /** How a list merges; absent means that it is replaced. */
  readonly list?: 'set' | 'map' | 'atomic';
  /** Fields that identify the elements of a list of type map. */
  readonly keys?: readonly string[];
  /** How a map or struct merges; absent means member by member. */
  readonly map?: 'atomic' | 'granular';
  /** The value that represents an absent field in the identity of an element. */
  readonly key?: unknown;
}

interface PackedType {
  readonly map?: 'atomic' | 'granular' | readonly (readonly ['atomic' | 'granular', number[]])[];
  readonly fields: readonly PackedField[];
}

type PackedField = readonly [
  name: string,
  shape: string,
  facts?: Facts,
  minors?: readonly number[],
];

interface Facts {
  readonly go?: string;
  readonly inside?: string;
  readonly list?: 'set' | 'map' | 'atomic';
  readonly keys?: readonly string[];
  readonly map?: 'atomic' | 'granular';
  readonly key?: unknown;
  readonly refusal?: string;
}

/** The structs of one version; each is created on first use. */
export class TypeStore {
  readonly #minor: number;
  readonly #texts: ReadonlyMap<string, string>;
  readonly #packages = new Map<string, LineTable>();
  readonly #types = new Map<string, StructType | undefined>();

  /** @param texts Go package to the lines of its types */
  constructor(minor: number, texts: ReadonlyMap<string, string>) {
    this.#minor = minor;
    this.#texts = texts;
  }

  /** The struct of a name such as `core.v1.Pod`, or undefined when its package is not loaded. */
  get(name: string): StructType | undefined {
    const known = this.#types.get(name);
    if (known !== undefined || this.#types.has(name)) return known;
    const type = this.#make(name);
    this.#types.set(name, type);
    return type;
  }

  #make(name: string): StructType | undefined {
    const dot = name.lastIndexOf('.');
    const ownName = name.slice(dot + 1);
    const packed = this.#package(name.slice(0, dot))?.get(ownName) as PackedType | undefined;
    if (!packed) return undefined;
    const namesInlined = this.#minor >= firstWithInlined;
    const fields: Field[] = [];
    const byName = new Map<string, Field>();
    for (const row of packed.fields) {
      if (row[3]?.includes(this.#minor) === false) continue;
      const field = makeField(row, namesInlined);
      fields.push(field);
      byName.set(field.name, field);
    }
    const map =
      typeof packed.map === 'string'
        ? packed.map
        : packed.map?.find(([, minors]) => minors.includes(this.#minor))?.[0];
    return { name, ownName, fields, byName, ...(map ? { map } : {}) };
  }

  #package(name: string): LineTable | undefined {
    const known = this.#packages.get(name);
    if (known) return known;
    const text = this.#texts.get(name);
    if (text === undefined) return undefined;
    const types = new LineTable(text);
    this.#packages.set(name, types);
    return types;
  }
}

/** The first minor version whose JSON decoder names inlined structs in paths. */
const firstWithInlined = 35;

/** Structs to Go, even where they are one word in JSON: `omitempty` never drops them. */
const structsToGo: ReadonlySet<Shape['kind']> = new Set([
  'struct',
  'time',
  'microtime',
  'quantity',
  'intorstring',
  'any',
  'own',
]);

/** Plain indexes: thousands of fields are made before anything is fast. */
function makeField(row: PackedField, namesInlined: boolean): Field {
  const name = row[0];
  const text = row[1];
  const facts = row[2];
  const comma = text.indexOf(',');
  const shape = shapeOf(comma < 0 ? text : text.slice(0, comma), facts);
  const omitEmpty = comma >= 0 && text.includes(',omitempty', comma);
  const omitZero = comma >= 0 && text.includes(',omitzero', comma);
  const isDroppable = shape.pointer || !structsToGo.has(shape.kind);
  const always = !omitZero && !(omitEmpty && isDroppable);
  const field = { name, shape, omitEmpty, omitZero, always, path: name };
  if (!facts) return field;
  const { go: _, refusal: __, ...rest } = facts;
  const { inside } = rest;
  return { ...field, ...rest, path: inside && namesInlined ? `${inside}.${name}` : name };
}

const shapes = new Map<string, Shape>();

/** The shape of a text; those that follow from it alone are made once. */
function shapeOf(text: string, { go, refusal }: Facts = {}): Shape {
  if (refusal !== undefined) return { ...parseShape(text, go), refusal };
  if (go !== undefined) return parseShape(text, go);
  const known = shapes.get(text);
  if (known) return known;
  const shape = parseShape(text);
  shapes.set(text, shape);
  return shape;
}
