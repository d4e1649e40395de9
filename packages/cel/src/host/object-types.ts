import { hostKind } from '../values/host-kind.ts';
import { ObjectValue } from '../values/object-value.ts';
import { convert, type HostTypes, Unconvertible } from '../values/to-cel.ts';
import { dynType, structType, type Type } from '../values/types.ts';
import { CelError, type Value } from '../values/value.ts';
import { type KnownTypes, TypedConverter } from './typed-converter.ts';

/** A class of JavaScript. */
export type HostClass = abstract new (...values: never[]) => object;

/** An object type by its name: its fields, and the class that its instances have. */
export interface ObjectType {
  /** `undefined` where every member counts, with any type. */
  readonly fields: ReadonlyMap<string, Type> | undefined;
  readonly class: HostClass | undefined;
}

/** The object types that an environment declares. */
export class ObjectTypes implements HostTypes, KnownTypes {
  readonly #types: ReadonlyMap<string, ObjectType>;

  constructor(types: ReadonlyMap<string, ObjectType>) {
    this.#types = types;
  }

  has(name: string): boolean {
    return this.#types.has(name);
  }

  fieldType(name: string, field: string): Type | undefined {
    const type = this.#types.get(name);
    return type?.fields === undefined ? type && dynType : type.fields.get(field);
  }

  create(name: string, values: ReadonlyMap<string, Value>): Value {
    const { fields } = this.#types.get(name) ?? {};
    for (const field of values.keys()) {
      if (fields?.has(field) === false) return new CelError(`no such field: ${field}`);
    }
    return this.#make(name, Object.fromEntries(values));
  }

  valueOf(object: object, type: Type): Value | undefined {
    const known = this.#types.get(type.name);
    if (known === undefined) return undefined;
    if (known.class !== undefined && !(object instanceof known.class)) {
      if (known.fields === undefined || hostKind(object) !== 'object') return undefined;
    } else if (known.class === undefined && hostKind(object) !== 'object') {
      return undefined;
    }
    return this.#make(type.name, object);
  }

  converter(name: string): TypedConverter {
    return new TypedConverter(name, this);
  }

  typeOfInstance(object: object): Type | undefined {
    if (Object.getPrototypeOf(object) === Object.prototype) return undefined;
    for (const [name, type] of this.#types) {
      if (type.class !== undefined && object instanceof type.class) return structType(name);
    }
    return undefined;
  }

  #make(name: string, host: object): ObjectValue {
    const fields = this.#types.get(name)?.fields;
    return new ObjectValue(structType(name), host, {
      declared: fields && new Set(fields.keys()),
      convert: (field, member) => {
        try {
          return convert(member, fields?.get(field) ?? dynType, `${name}.${field}`, this);
        } catch (failure) {
          if (failure instanceof Unconvertible) return new CelError(failure.message);
          throw failure;
        }
      },
    });
  }
}

/** The types of the language and no others. */
export const noObjectTypes: ObjectTypes = /* @__PURE__ */ new ObjectTypes(
  /* @__PURE__ */ new Map(),
);
