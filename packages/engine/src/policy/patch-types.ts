import { setKey } from '@kubeadmit/base';
import {
  CelError,
  Double,
  type FieldReader,
  Optional,
  type StructProvider,
  Type,
  TypeValue,
  Uint,
  type Value,
} from '@kubeadmit/cel';
import { dynType, stringType } from '@kubeadmit/cel/types';
import {
  formatGoValue,
  goFormOf,
  goTypeName,
  isLiteral,
  isSum,
} from '@kubeadmit/cel/unstable-internal';
import {
  CelMap,
  equal,
  formatCelValue,
  isEqual,
  isInt,
  isList,
  isMap,
  noOverload,
  OpaqueValue,
  type PlainObject,
  SpecialValue,
  StructValue,
} from '@kubeadmit/cel/values';
import { compareText, quote } from '@kubeadmit/go';

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
  /** The name of the type, such as `Object.spec`. */
  readonly typeName: string;
  /** The fields that were set. */
  readonly fields: ReadonlyMap<string, Value>;

  constructor(typeName: string, fields: ReadonlyMap<string, Value>) {
    super();
    this.typeName = typeName;
    this.fields = fields;
  }

  /** The type of that name. */
  get type(): Type {
    return new Type('struct', this.typeName);
  }

  /** Returns nothing, since expressions that read fields know the type; see `partFields`. */
  get(): undefined {
    return undefined;
  }

  /** Returns false, since types of parts are not known. */
  has(): false {
    return false;
  }

  /** Whether a value is an equal part of a configuration. */
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
  /** The operation, such as `add`. */
  readonly op: string;
  /** The pointer to the changed value. */
  readonly path: string;
  /** The pointer to the source of `move` and `copy`; empty for others. */
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

  /** The type, `JSONPatch`. */
  get type(): Type {
    return jsonPatchType;
  }

  /** Returns the value of a field. */
  get(field: string): Value | undefined {
    if (field === 'value') return this.value ?? null;
    return isTextField(field) ? this[field] : new CelError(`unsupported indexer: ${field}`);
  }

  /** Whether a field is set. */
  has(field: string): boolean | CelError {
    if (field === 'value') return this.value !== undefined;
    if (isTextField(field)) return this[field] !== '';
    return new CelError(`unsupported field: ${field}`);
  }

  /** Whether a value is an equal operation. */
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
  if (left instanceof CelMap !== right instanceof CelMap) return false;
  return goTypeName(left) === goTypeName(right) && isEqual(left, right);
}

/**
 * Returns Go's error for a part that it cannot convert (apiserver cel/mutation/dynamic, `ConvertToNative`): a field
 * is a map with a key that is not a string. Of several such fields, the first by name is reported.
 */
function problemOf({ fields }: ObjectValue): CelError | undefined {
  const problems = [...fields].flatMap(([name, value]) => {
    const key =
      value instanceof CelMap ? value.keys.find((each) => typeof each !== 'string') : undefined;
    return key === undefined ? [] : [{ name, key }];
  });
  const [first] = problems.sort((a, b) => compareText(a.name, b.name));
  return (
    first && new CelError(`fail to convert field ${quote(first.name)}: ${keyProblem(first.key)}`)
  );
}

function fieldValue(value: Value): Value {
  if (isList(value)) {
    // Lists of the data are returned unchanged: they have their Go form and contain no values created by an expression.
    const isMade = isLiteral(value) || isSum(value) || hasSpecial(value);
    return isMade && goFormOf(value) === undefined ? value.map(nativeValue) : value;
  }
  return value instanceof CelMap
    ? objectOf(value.keys.map((key) => [String(key), nativeValue(value.get(key) ?? null)]))
    : nativeValue(value);
}

// A loop, because lists can be as long as those of the data; the first test excludes most elements.
function hasSpecial(list: readonly Value[]): boolean {
  for (let index = 0; index < list.length; index++) {
    const each = list[index];
    if (typeof each === 'object' && each instanceof SpecialValue) return true;
  }
  return false;
}

function objectOf(members: readonly (readonly [string, Value])[]): PlainObject {
  const object: Record<string, Value> = {};
  for (const [name, value] of members) setKey(object, name, value);
  return object;
}

/** Says that a field cannot be a map with such a key. */
export function keyProblem(key: Value): string {
  const shown =
    typeof key === 'number' ? `'\\x${key.toString(16).padStart(2, '0')}'` : formatCelValue(key);
  return `map key ${shown} is of type ${goTypeName(key)}, not string`;
}

// Returns the CEL value of the Go value behind a value.
function nativeValue(value: Value): Value {
  if (value instanceof ObjectValue) {
    const { fields } = value;
    return (
      problemOf(value) ?? objectOf(Array.from(fields, ([name, field]) => [name, fieldValue(field)]))
    );
  }
  if (value instanceof Optional) return value.value === undefined ? null : nativeValue(value.value);
  if (value instanceof TypeValue) return typeText(value);
  if (!(value instanceof OpaqueValue)) return value;
  const type = opaqueType(value);
  return type === undefined
    ? noOverload()
    : new CelError(`unsupported conversion to ref.Val: (${type})${formatGoValue(value)}`);
}

/** The Go name of a type: the type of `Object{…}` is one with a parameter. */
export function typeText(value: TypeValue): string {
  return patchTypes.has(value.named.name) ? 'type' : formatCelValue(value);
}

const opaqueTypes: ReadonlyMap<string, string> = new Map([
  ['cel.Quantity', '*resource.Quantity'],
  ['*cel.Quantity', '*resource.Quantity'],
  ['cel.URL', '*url.URL'],
  ['cel.IP', 'netip.Addr'],
  ['cel.CIDR', 'netip.Prefix'],
  ['cel.Semver', 'semver.Version'],
]);

/** The type of the Go value that a value of the Kubernetes libraries wraps; those of the authorizer have none. */
export function opaqueType({ goType }: OpaqueValue): string | undefined {
  return goType.startsWith('library.') ? undefined : (opaqueTypes.get(goType) ?? goType);
}

type TextField = 'op' | 'path' | 'from';

function isTextField(field: string): field is TextField {
  return field === 'op' || field === 'path' || field === 'from';
}

// Kubernetes says that it has any other field too, but of no type (cel/mutation/typeresolver.go).
export const unknownFieldType: Type = new Type('struct', '');

/** The fields that an expression reads from a part of an apply configuration. */
const partFields: FieldReader = {
  get(part, field) {
    // A part of unknown type can be null.
    if (!(part instanceof ObjectValue) || problemOf(part) !== undefined) {
      return new CelError(`cannot get field ${quote(field)}`);
    }
    const value = part.fields.get(field);
    return value === undefined ? null : fieldValue(value);
  },
  has: (part, field) =>
    part instanceof ObjectValue && part.fields.has(field) && problemOf(part) === undefined,
};

// Whether a type is one of the parts of apply configurations: `Object`, `Object.spec` and so on.
function isObjectName(name: string): boolean {
  return name === 'Object' || name.startsWith('Object.');
}

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
  fields: (name) => (isObjectName(name) ? partFields : undefined),
};

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

// The first field, in insertion order, that must be a string but is not.
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
