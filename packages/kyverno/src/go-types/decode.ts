import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { jsonTypeOf, setKey, sortedKeys } from '@kubeadmit/go/internal';
import type { OwnShape, ScalarShape, Shape, StructShape } from './shape.ts';

const integerLimits = { int32: 2n ** 31n, int64: 2n ** 63n } as const;

/** How a value is read. */
export interface DecodeOptions {
  /** Whether members are visited in sorted order, as in JSON that Go wrote, and not as they stand. */
  readonly sorted?: boolean;
}

/**
 * A value with the fields of its type alone, as Go's `encoding/json` decodes it: names in any case, in the order of
 * the type, and null for absent. Null comes back as undefined.
 *
 * A `DecodeError` is about the first value of a wrong type.
 */
export function decodeTyped(
  value: unknown,
  shape: Shape,
  options: DecodeOptions = {},
): unknown | DecodeError {
  const reader = new Reader(false);
  try {
    const typed = reader.read(value, shape);
    if (reader.problem === undefined) return typed;
    if (options.sorted !== true) return textOf(reader.problem);
    const again = new Reader(true);
    again.read(value, shape);
    return textOf(again.problem ?? reader.problem);
  } catch (problem) {
    if (problem instanceof Ending) return textOf(problem.found);
    throw problem;
  }
}

/** A value of a wrong type, with the text of Go's decoder. */
export class DecodeError {
  readonly message: string;
  /** Where the value stands. */
  readonly path: Path;

  constructor(message: string, path: Path) {
    this.message = message;
    this.path = path;
  }
}

/** What was found, of which type it should be and in which struct, or a text of its own. */
interface Found {
  readonly path: Path;
  /** The names of the fields on the way. */
  readonly names: string;
  readonly what: string;
  readonly type: string;
  readonly struct: string;
  readonly text?: string;
}

/** Ends the reading, as an error of a type that reads its JSON itself does. */
class Ending extends Error {
  readonly found: Found;

  constructor(found: Found) {
    super(found.text);
    this.found = found;
  }
}

function textOf({ path, names, what, type, struct, text }: Found): DecodeError {
  const place = names === '' ? 'Go value' : `Go struct field ${struct}.${names}`;
  return new DecodeError(
    text ?? `json: cannot unmarshal ${what} into ${place} of type ${type}`,
    path,
  );
}

type Path = readonly (string | number)[];

class Reader {
  problem: Found | undefined;
  readonly #isSorted: boolean;
  #struct = '';
  readonly #path: (string | number)[] = [];
  readonly #names: string[] = [];

  constructor(isSorted: boolean) {
    this.#isSorted = isSorted;
  }

  read(value: unknown, shape: Shape): unknown {
    if (value === null || value === undefined) return undefined;
    switch (shape.kind) {
      case 'free':
        return value;
      case 'own':
        return this.#own(value, shape);
      case 'struct':
        return isObject(value) ? this.#members(value, shape) : this.#refuse(value, shape);
      case 'list':
        if (!Array.isArray(value)) return this.#refuse(value, shape);
        return value.map((item, at) => this.#member(at, item, shape.items) ?? zeroOf(shape.items));
      case 'map':
        return isObject(value) ? this.#map(value, shape.values) : this.#refuse(value, shape);
      default:
        return this.#scalar(value, shape);
    }
  }

  #member(key: string | number, value: unknown, shape: Shape): unknown {
    this.#path.push(key);
    const member = this.read(value, shape);
    this.#path.pop();
    return member;
  }

  #own(value: unknown, { choices, error }: OwnShape): unknown {
    let found: Found | undefined;
    for (const choice of choices) {
      const reader = new Reader(this.#isSorted);
      reader.#struct = this.#struct;
      reader.#names.push(...this.#names);
      reader.#path.push(...this.#path);
      const read = reader.read(value, choice);
      if (reader.problem === undefined) return read;
      found ??= reader.problem;
    }
    if (found === undefined) return undefined;
    const text = choices.length > 1 ? { text: error } : {};
    throw new Ending({ ...found, struct: this.#struct, ...text });
  }

  #keys(value: JsonObject): readonly string[] {
    return this.#isSorted ? sortedKeys(value) : Object.keys(value);
  }

  #map(value: JsonObject, values: Shape): JsonObject {
    const object: JsonObject = {};
    for (const key of this.#keys(value)) {
      const member = this.#member(key, value[key], values);
      setKey(object, key, member ?? zeroOf(values));
    }
    return object;
  }

  #members(value: JsonObject, shape: StructShape): JsonObject {
    const fields = shape.fields();
    const object: JsonObject = {};
    const outer = this.#struct;
    let last = -1;
    let isOrdered = true;
    for (const key of this.#keys(value)) {
      const name = fields.has(key) ? key : shape.foldedNames().get(key.toLowerCase());
      const field = name === undefined ? undefined : fields.get(name);
      if (name === undefined || field === undefined) continue;
      this.#struct = shape.name;
      this.#names.push(field.text);
      const member = this.#member(name, value[key], field.shape);
      this.#names.pop();
      if (member === undefined) continue;
      isOrdered &&= field.place > last;
      last = field.place;
      object[name] = member;
    }
    this.#struct = outer;
    if (isOrdered) return object;
    const ordered: JsonObject = {};
    for (const name of fields.keys()) if (Object.hasOwn(object, name)) ordered[name] = object[name];
    return ordered;
  }

  #scalar(value: unknown, shape: ScalarShape): unknown {
    if (shape.kind === 'string' || shape.kind === 'bool') {
      const wanted = shape.kind === 'bool' ? 'boolean' : 'string';
      return typeof value === wanted ? value : this.#refuse(value, shape);
    }
    if (typeof value !== 'number' && typeof value !== 'bigint') return this.#refuse(value, shape);
    const limit = integerLimits[shape.kind];
    const isInteger = typeof value === 'bigint' || Number.isInteger(value);
    return isInteger && BigInt(value) >= -limit && BigInt(value) < limit
      ? Number(value)
      : this.#refuse(value, shape, `number ${value}`);
  }

  #refuse(value: unknown, { type }: Shape, what: string = jsonTypeOf(value)): undefined {
    this.problem ??= {
      path: [...this.#path],
      names: this.#names.join('.'),
      what,
      type,
      struct: this.#struct,
    };
    return undefined;
  }
}

function zeroOf(shape: Shape): unknown {
  if (shape.kind === 'struct') return {};
  return shape.kind === 'string' ? '' : undefined;
}
