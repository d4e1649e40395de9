import { sortedKeys } from '../values/order.ts';
import { isObject, type JsonObject, setMember } from '../values/value.ts';

/** The Go type of a value, as far as it is read. */
export type Shape =
  | { readonly scalar: 'string' | 'bool' | 'int32' | 'int64'; readonly type: string }
  | { readonly items: Shape; readonly type: string }
  | { readonly values: Shape; readonly type: string }
  | { readonly fields: Readonly<Record<string, Shape>>; readonly type: string };

const integerLimits = { int32: 2n ** 31n, int64: 2n ** 63n } as const;

/**
 * A value with the fields of its shape alone, as Go's `encoding/json` decodes it: names in any case, null for absent.
 *
 * A text is the error of the first value of a wrong type, members being visited in sorted order.
 */
export function readTyped<Typed>(value: JsonObject, shape: Shape): Typed | string {
  const reader = new TypedReader();
  const typed = reader.read(value, shape, '', '');
  return reader.problem ?? (typed as Typed);
}

class TypedReader {
  problem: string | undefined;

  read(value: unknown, shape: Shape, struct: string, path: string): unknown {
    if (value === null || value === undefined) return undefined;
    if ('scalar' in shape) return this.#scalar(value, shape.scalar, shape.type, struct, path);
    if ('items' in shape) {
      if (!Array.isArray(value)) return this.#refuse(value, shape.type, struct, path);
      return value.map((item) => this.read(item, shape.items, struct, path) ?? zeroOf(shape.items));
    }
    if (!isObject(value)) return this.#refuse(value, shape.type, struct, path);
    const object: JsonObject = {};
    for (const key of sortedKeys(value)) {
      if ('values' in shape) {
        const member = this.read(value[key], shape.values, struct, path);
        setMember(object, key, member ?? zeroOf(shape.values));
        continue;
      }
      const name = fieldNameOf(shape.fields, key);
      const inner = name === undefined ? undefined : shape.fields[name];
      if (name === undefined || inner === undefined) continue;
      const member = this.read(
        value[key],
        inner,
        shape.type.slice(shape.type.lastIndexOf('.') + 1),
        path === '' ? name : `${path}.${name}`,
      );
      if (member !== undefined) object[name] = member;
    }
    return object;
  }

  #scalar(
    value: unknown,
    scalar: 'string' | 'bool' | 'int32' | 'int64',
    type: string,
    struct: string,
    path: string,
  ): unknown {
    if (scalar === 'string' || scalar === 'bool') {
      const wanted = scalar === 'bool' ? 'boolean' : 'string';
      return typeof value === wanted ? value : this.#refuse(value, type, struct, path);
    }
    if (typeof value !== 'number' && typeof value !== 'bigint') {
      return this.#refuse(value, type, struct, path);
    }
    const limit = integerLimits[scalar];
    if (typeof value === 'number' && !Number.isInteger(value)) {
      return this.#refuse(value, type, struct, path, `number ${value}`);
    }
    const integer = BigInt(value);
    return integer >= -limit && integer < limit
      ? Number(value)
      : this.#refuse(value, type, struct, path, `number ${value}`);
  }

  #refuse(
    value: unknown,
    type: string,
    struct: string,
    path: string,
    what: string = jsonTypeOf(value),
  ): undefined {
    this.problem ??= `json: cannot unmarshal ${what} into Go struct field ${struct}.${path} of type ${type}`;
    return undefined;
  }
}

/** The field that a key means: its own name, else that name in other case. */
function fieldNameOf(fields: Readonly<Record<string, Shape>>, key: string): string | undefined {
  if (Object.hasOwn(fields, key)) return key;
  const lower = key.toLowerCase();
  return Object.keys(fields).find((name) => name.toLowerCase() === lower);
}

function zeroOf(shape: Shape): unknown {
  if ('fields' in shape) return {};
  return 'scalar' in shape && shape.scalar === 'string' ? '' : undefined;
}

function jsonTypeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'object':
      return 'object';
    default:
      return 'number';
  }
}
