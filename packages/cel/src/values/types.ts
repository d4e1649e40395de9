/** The root of a {@link Type}; `struct` is a named object type, `param` a type variable. */
export type TypeKind =
  | 'any'
  | 'bool'
  | 'bytes'
  | 'double'
  | 'duration'
  | 'dyn'
  | 'error'
  | 'function'
  | 'int'
  | 'list'
  | 'map'
  | 'null'
  | 'opaque'
  | 'param'
  | 'string'
  | 'struct'
  | 'timestamp'
  | 'type'
  | 'uint';

/**
 * A CEL type: the result of the checker and of `type()`.
 *
 * `name` is the name at run time (`google.protobuf.Timestamp`, `null_type`), see {@link formatCelType} and
 * {@link formatDeclaredType} for the two ways of printing. `nullable` marks the wrapper types, such as
 * `google.protobuf.Int64Value`, which also hold null.
 */
export class Type {
  /** Which sort of type it is. */
  readonly kind: TypeKind;
  /** Its name in CEL, such as `int` or `kubernetes.Quantity`. */
  readonly name: string;
  /** The types of elements, or of keys and values. */
  readonly parameters: readonly Type[];
  /** Whether null belongs to it (the wrappers of protobuf). */
  readonly nullable: boolean;

  constructor(
    kind: TypeKind,
    name: string,
    parameters: readonly Type[] = [],
    nullable: boolean = false,
  ) {
    this.kind = kind;
    this.name = name;
    this.parameters = parameters;
    this.nullable = nullable;
  }

  /** The name, with parameters, as cel-go prints a result type: `map(string, list(int))`. */
  toString(): string {
    return formatDeclaredType(this);
  }
}

/** The type `google.protobuf.Any`. */
export const anyType: Type = new Type('any', 'google.protobuf.Any');
/** The type `bool`. */
export const boolType: Type = new Type('bool', 'bool');
/** The type `bytes`. */
export const bytesType: Type = new Type('bytes', 'bytes');
/** The type `double`. */
export const doubleType: Type = new Type('double', 'double');
/** The type `google.protobuf.Duration`. */
export const durationType: Type = new Type('duration', 'google.protobuf.Duration');
/** The type `dyn`. */
export const dynType: Type = new Type('dyn', 'dyn');
export const errorType: Type = new Type('error', 'error');
/** The type `int`. */
export const intType: Type = new Type('int', 'int');
/** The type `null_type`. */
export const nullType: Type = new Type('null', 'null_type');
/** The type `string`. */
export const stringType: Type = new Type('string', 'string');
/** The type `google.protobuf.Timestamp`. */
export const timestampType: Type = new Type('timestamp', 'google.protobuf.Timestamp');
/** The type `type`. */
export const typeType: Type = new Type('type', 'type');
/** The type `uint`. */
export const uintType: Type = new Type('uint', 'uint');
export const listType: Type = listOf(dynType);
export const mapType: Type = mapOf(dynType, dynType);

/** The types that have names in every environment. */
export const standardTypes: readonly Type[] = [
  boolType,
  bytesType,
  doubleType,
  durationType,
  intType,
  listType,
  mapType,
  nullType,
  stringType,
  timestampType,
  typeType,
  uintType,
];

/** The type of lists of `element`. */
export function listOf(element: Type): Type {
  return new Type('list', 'list', [element]);
}

/** The type of maps from `key` to `value`. */
export function mapOf(key: Type, value: Type): Type {
  return new Type('map', 'map', [key, value]);
}

/** The type of optional values of `element`, printed `optional_type(…)`. */
export function optionalOf(element: Type): Type {
  return opaqueType('optional_type', [element]);
}

/** A type whose values only functions can look into, such as `kubernetes.Quantity`. */
export function opaqueType(name: string, parameters: readonly Type[] = []): Type {
  return new Type('opaque', name, parameters);
}

/** Creates a named object type; the environment's type provider defines its fields. */
export function structType(name: string): Type {
  return new Type('struct', name);
}

/** A type variable of a function signature: the same name is the same type within one overload. */
export function typeParameter(name: string): Type {
  return new Type('param', name);
}

/** The type of a type value: `type(int)` has the type `type(int)`. */
export function typeOfType(type: Type): Type {
  return new Type('type', 'type', [type]);
}

/** The wrapper of a primitive type, which also holds null. */
export function nullableType(type: Type): Type {
  return new Type(type.kind, type.name, type.parameters, true);
}

/** Whether values of the type can be anything at run time. */
export function isDynamic(type: Type): boolean {
  return type.kind === 'dyn' || type.kind === 'any';
}

/** Whether the type is `optional_type(…)`. */
export function isOptionalType(type: Type): boolean {
  return type.kind === 'opaque' && type.name === 'optional_type';
}

/** Whether two types are the same, names of type variables included. */
export function isSameType(left: Type, right: Type): boolean {
  return matches(left, right, true);
}

/** Whether two types are the same, whatever their type variables are called. */
export function isEquivalentType(left: Type, right: Type): boolean {
  return matches(left, right, false);
}

function matches(left: Type, right: Type, names: boolean): boolean {
  if (left === right) return true;
  if (left.kind !== right.kind || left.parameters.length !== right.parameters.length) return false;
  if ((names || left.kind !== 'param') && left.name !== right.name) return false;
  return left.parameters.every((parameter, index) => {
    const other = right.parameters[index];
    return other !== undefined && matches(parameter, other, names);
  });
}

/** Prints a type as error messages of the checker do: `timestamp`, `null`, `!error!`, `list(int)`. */
export function formatCelType(type: Type): string {
  switch (type.kind) {
    case 'any':
    case 'duration':
    case 'null':
    case 'timestamp':
      return type.kind;
    case 'error':
      return '!error!';
    case 'param':
      return type.name;
    default:
      break;
  }
  if (type.parameters.length === 0) return declaredName(type);
  return `${type.name}(${type.parameters.map(formatCelType).join(', ')})`;
}

/** Prints a type by its names at run time: `google.protobuf.Timestamp`, `null_type`, `list(int)`. */
export function formatDeclaredType(type: Type): string {
  if (type.kind === 'param') return `<${type.name}>`;
  if (type.parameters.length === 0) return declaredName(type);
  return `${declaredName(type)}(${type.parameters.map(formatDeclaredType).join(', ')})`;
}

function declaredName(type: Type): string {
  return type.nullable ? `wrapper(${type.name})` : type.name;
}
