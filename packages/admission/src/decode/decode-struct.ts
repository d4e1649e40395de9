import { isObject } from '@kubeadmit/apimachinery';
import { jsonTypeOf, sortedKeys } from '@kubeadmit/go';

/** A type of Go that JSON is decoded into. */
export type GoType =
  | { readonly is: 'string' | 'int32' | 'int64' | 'any'; readonly name: string }
  | { readonly is: 'list'; readonly name: string; readonly items: GoType }
  | GoStruct;

/** A struct of Go. */
export interface GoStruct {
  readonly is: 'struct';
  /** Its name in errors, with its package, such as `v1.Toleration`. */
  readonly name: string;
  /** The types of its fields, by their names in JSON. */
  readonly fields: Readonly<Record<string, GoType>>;
}

/** A string, or a named type of Go whose values are strings. */
export const stringType = (name: string = 'string'): GoType => ({ is: 'string', name });

export const integerType = (is: 'int32' | 'int64'): GoType => ({ is, name: is });

export const listType = (items: GoType): GoType => ({ is: 'list', name: `[]${items.name}`, items });

export const structType = (name: string, fields: GoStruct['fields']): GoStruct => ({
  is: 'struct',
  name,
  fields,
});

/**
 * Checks that a value fits a struct, as Go's JSON decoder does.
 *
 * @returns the paths of the fields that the struct does not have
 * @throws Error with the decoder's text for a value of another type
 */
export function unknownFields(value: unknown, type: GoStruct): readonly string[] {
  const unknown: string[] = [];
  visit(value, type, { struct: '', field: '', path: '' }, unknown);
  return unknown;
}

interface Place {
  /** The name of the innermost struct. */
  readonly struct: string;
  /** The path of the field without indices. */
  readonly field: string;
  /** The path of the field with indices. */
  readonly path: string;
}

function visit(value: unknown, type: GoType, place: Place, unknown: string[]): void {
  if (value === null || type.is === 'any') return;
  if (!isFitting(value, type)) throw wrongType(value, type, place);
  if (type.is === 'list') {
    for (const [index, item] of (value as readonly unknown[]).entries()) {
      visit(item, type.items, { ...place, path: `${place.path}[${index}]` }, unknown);
    }
  } else if (type.is === 'struct') {
    visitFields(value as Readonly<Record<string, unknown>>, type, place, unknown);
  }
}

function visitFields(
  value: Readonly<Record<string, unknown>>,
  { name, fields }: GoStruct,
  place: Place,
  unknown: string[],
): void {
  const struct = name.replace(/^.*\./, '');
  for (const key of sortedKeys(value)) {
    const path = place.path === '' ? key : `${place.path}.${key}`;
    const field = place.field === '' ? key : `${place.field}.${key}`;
    const type = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (type === undefined) unknown.push(path);
    else visit(value[key], type, { struct, field, path }, unknown);
  }
}

const bounds = { int32: 2n ** 31n, int64: 2n ** 63n } as const;

function isFitting(value: unknown, type: GoType): boolean {
  switch (type.is) {
    case 'string':
      return typeof value === 'string';
    case 'list':
      return Array.isArray(value);
    case 'int32':
    case 'int64': {
      const isWhole = typeof value === 'bigint' || Number.isInteger(value);
      if (!isWhole) return false;
      const whole = BigInt(value as number | bigint);
      return whole < bounds[type.is] && whole >= -bounds[type.is];
    }
    default:
      return isObject(value);
  }
}

function wrongType(value: unknown, { is, name }: GoType, { struct, field }: Place): Error {
  const given = jsonTypeOf(value);
  const isNumber = given === 'number' && (is === 'int32' || is === 'int64');
  return new Error(
    `json: cannot unmarshal ${given}${isNumber ? ` ${value}` : ''} into Go struct field ${struct}.${field} of type ${name}`,
  );
}
