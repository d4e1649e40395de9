import type { StructProvider } from '@kubeadmit/cel';
import { CelError, Double, Type, Uint, type Value } from '@kubeadmit/cel';
import {
  dynType,
  equal,
  goFormOf,
  goTypeName,
  isEqual,
  isInt,
  isList,
  isMap,
  StructValue,
  stringType,
} from '@kubeadmit/cel/internal';

/** The type of a JSON patch's operations in expressions. */
export const jsonPatchType: Type = new Type('struct', 'JSONPatch');

/** The type of an apply configuration as a whole. */
export const objectType: Type = new Type('struct', 'Object');

/**
 * A value that `Object{…}` or `Object.spec{…}` made: part of an apply configuration.
 *
 * Any field may be set to anything; that names of types fit their places is checked when the
 * configuration is used (apiserver cel/mutation/dynamic).
 */
export class ObjectValue extends StructValue {
  readonly typeName: string;
  readonly fields: ReadonlyMap<string, Value>;

  constructor(typeName: string, fields: ReadonlyMap<string, Value>) {
    super();
    this.typeName = typeName;
    this.fields = fields;
  }

  get type(): Type {
    return new Type('struct', this.typeName);
  }

  // A field that is not set reads as null.
  get(field: string): Value {
    return this.fields.get(field) ?? null;
  }

  has(field: string): boolean {
    return this.fields.has(field);
  }

  equals(other: Value): boolean {
    if (!(other instanceof ObjectValue) || other.typeName !== this.typeName) return false;
    if (other.fields.size !== this.fields.size) return false;
    return [...this.fields].every(([name, value]) => {
      const same = other.fields.get(name);
      return same !== undefined && isDeepEqual(value, same);
    });
  }
}

/** An operation of a JSON patch that `JSONPatch{…}` made (apiserver cel/mutation/jsonpatch.go). */
export class JsonPatchValue extends StructValue {
  readonly op: string;
  readonly path: string;
  readonly from: string;
  /** `undefined` when it was not set. */
  readonly value: Value | undefined;

  constructor(op: string, path: string, from: string, value: Value | undefined) {
    super();
    this.op = op;
    this.path = path;
    this.from = from;
    this.value = value;
  }

  get type(): Type {
    return jsonPatchType;
  }

  get(field: string): Value | undefined {
    if (field === 'value') return this.value;
    return isTextField(field) ? this[field] : new CelError(`unsupported indexer: ${field}`);
  }

  has(field: string): boolean | CelError {
    if (field === 'value') return this.value !== undefined;
    if (isTextField(field)) return this[field] !== '';
    return new CelError(`unsupported field: ${field}`);
  }

  equals(other: Value): boolean | CelError {
    if (!(other instanceof JsonPatchValue)) return false;
    if (other.op !== this.op || other.path !== this.path || other.from !== this.from) return false;
    if (this.value === undefined || other.value === undefined) return this.value === other.value;
    return equal(this.value, other.value);
  }
}

// Go's `reflect.DeepEqual` of two values of CEL: by their types, and of lists, which hold functions, none.
function isDeepEqual(left: Value, right: Value): boolean {
  if (isList(left) && goFormOf(left) === undefined) return left === right;
  return goTypeName(left) === goTypeName(right) && isEqual(left, right);
}

type TextField = 'op' | 'path' | 'from';

function isTextField(field: string): field is TextField {
  return field === 'op' || field === 'path' || field === 'from';
}

// Kubernetes says that it has any other field too, but of no type (cel/mutation/typeresolver.go).
const unknownFieldType: Type = new Type('struct', '');

/** The types `Object`, `Object.…` and `JSONPatch` of mutations. */
export const patchTypes: StructProvider = {
  has: (name) => name === 'JSONPatch' || isObjectName(name),
  fieldType: (name, field) => {
    if (name !== 'JSONPatch') return dynType;
    if (field === 'value') return dynType;
    return isTextField(field) ? stringType : unknownFieldType;
  },
  create: (name, fields) =>
    name === 'JSONPatch' ? createJsonPatch(fields) : new ObjectValue(name, fields),
};

function isObjectName(name: string): boolean {
  return name === 'Object' || name.startsWith('Object.');
}

function createJsonPatch(fields: ReadonlyMap<string, Value>): Value {
  const op = fieldOf(fields, 'op');
  const path = fieldOf(fields, 'path');
  const from = fieldOf(fields, 'from');
  return typeof op === 'string' && typeof path === 'string' && typeof from === 'string'
    ? new JsonPatchValue(op, path, from, fields.get('value'))
    : textProblem(fields);
}

function fieldOf(fields: ReadonlyMap<string, Value>, name: TextField): Value {
  const value = fields.get(name);
  return value === undefined ? '' : value;
}

// The first field, as they were set, that is no text and has to be.
function textProblem(fields: ReadonlyMap<string, Value>): CelError {
  const [name, value = null] =
    [...fields].find(([name, value]) => isTextField(name) && typeof value !== 'string') ?? [];
  return new CelError(`unexpected type ${nativeTypeName(value)} for JSONPatchType '${name}' field`);
}

// The type of the Go value behind a CEL value.
function nativeTypeName(value: Value): string {
  if (value === null) return 'structpb.NullValue';
  if (typeof value === 'boolean') return 'bool';
  if (value instanceof Double) return 'float64';
  if (isInt(value)) return 'int64';
  if (typeof value === 'number') return 'float64';
  if (value instanceof Uint) return 'uint64';
  if (value instanceof Uint8Array) return '[]uint8';
  if (isList(value)) return '[]ref.Val';
  if (isMap(value)) return 'map[ref.Val]ref.Val';
  return 'map[string]interface {}';
}
