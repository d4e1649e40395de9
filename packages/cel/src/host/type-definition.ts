import { typeFrom } from '../declarations/signature.ts';
import {
  boolType,
  doubleType,
  dynType,
  intType,
  listOf,
  mapOf,
  nullableType,
  stringType,
  structType,
  Type,
} from '../values/types.ts';
import type { HostClass, ObjectType } from './object-types.ts';

/** The part of a JSON Schema that describes types. */
export interface JsonSchema {
  /** One type, or several. */
  readonly type?: string | readonly string[];
  /** Members by name; each may be there or not. */
  readonly properties?: Readonly<Record<string, JsonSchema | boolean>>;
  /** The schema of other members; `false` forbids them. */
  readonly additionalProperties?: JsonSchema | boolean;
  /** The schema of a list's elements. */
  readonly items?: JsonSchema | boolean | readonly (JsonSchema | boolean)[];
  /** Whether null is taken too (OpenAPI 3.0). */
  readonly nullable?: boolean;
  /** A schema of this document, such as `#/$defs/address`. */
  readonly $ref?: string;
  /** Schemas that others refer to. */
  readonly $defs?: Readonly<Record<string, JsonSchema | boolean>>;
  /** The older word for `$defs`. */
  readonly definitions?: Readonly<Record<string, JsonSchema | boolean>>;
  /** Other words of JSON Schema, which say nothing about types. */
  readonly [keyword: string]: unknown;
}

/** The fields of an object type, and the class of its instances. */
export interface ObjectDefinition {
  /** Types by the names of the fields; every member counts, with any type, where this is absent. */
  readonly fields?: Readonly<Record<string, Type | string>>;
  /** The class whose instances are of this type; others are refused. */
  readonly class?: HostClass;
}

/** The definition of an object type: fields, a class, or a JSON Schema with `properties`. */
export type TypeDefinition = ObjectDefinition | JsonSchema | HostClass;

/** Adds an object type and the types within it. Throws a `TypeError` for an invalid definition. */
export function defineType(
  types: Map<string, ObjectType>,
  name: string,
  definition: TypeDefinition,
): void {
  if (typeof definition === 'function') {
    types.set(name, { fields: undefined, class: definition });
    return;
  }
  if (typeof definition !== 'object' || definition === null || Array.isArray(definition)) {
    throw new TypeError(
      `the type \`${name}\` needs a class, \`{ fields }\` or a JSON Schema of an object`,
    );
  }
  if (isSchema(definition)) {
    new SchemaReader(types, name, definition).define(name, definition);
    return;
  }
  const { fields, class: hostClass } = definition as ObjectDefinition;
  if (fields === undefined && hostClass === undefined) {
    throw new TypeError(
      `the type \`${name}\` needs a class, \`{ fields }\` or a JSON Schema of an object`,
    );
  }
  // Registered first, because a type may contain itself.
  types.set(name, { fields: new Map(), class: hostClass });
  const isNamed = (text: string): Type | undefined =>
    types.has(text) ? structType(text) : undefined;
  types.set(name, {
    fields:
      fields &&
      new Map(
        Object.entries(fields).map(([field, type]) => [
          field,
          type instanceof Type ? type : typeFrom(type, isNamed),
        ]),
      ),
    class: hostClass,
  });
}

function isSchema(definition: object): definition is JsonSchema {
  return (
    Object.hasOwn(definition, 'properties') ||
    typeof (definition as JsonSchema).type === 'string' ||
    typeof (definition as JsonSchema).$ref === 'string'
  );
}

class SchemaReader {
  readonly #types: Map<string, ObjectType>;
  readonly #name: string;
  readonly #root: JsonSchema;

  constructor(types: Map<string, ObjectType>, name: string, root: JsonSchema) {
    this.#types = types;
    this.#name = name;
    this.#root = root;
  }

  define(name: string, schema: JsonSchema): void {
    if (schema.properties === undefined) {
      throw new TypeError(`the schema of \`${name}\` has no \`properties\``);
    }
    const fields = new Map<string, Type>();
    this.#types.set(name, { fields, class: undefined });
    for (const [property, of] of Object.entries(schema.properties)) {
      fields.set(property, this.#type(of, `${name}.${property}`));
    }
  }

  #type(schema: JsonSchema | boolean, name: string): Type {
    if (typeof schema !== 'object') return dynType;
    if (schema.$ref !== undefined) return this.#reference(schema.$ref);
    const named = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
    const kinds = named.filter((kind) => kind !== 'null');
    const plain = kinds.length === 1 ? this.#plain(kinds[0], schema, name) : dynType;
    const isNullable = schema.nullable === true || kinds.length < named.length;
    return isNullable && plain.parameters.length === 0 && plain.kind !== 'struct'
      ? nullableType(plain)
      : isNullable
        ? dynType
        : plain;
  }

  #plain(kind: string | undefined, schema: JsonSchema, name: string): Type {
    switch (kind) {
      case 'string':
        return stringType;
      case 'integer':
        return intType;
      case 'number':
        return doubleType;
      case 'boolean':
        return boolType;
      case 'array': {
        const { items } = schema;
        return listOf(
          typeof items === 'object' && !Array.isArray(items)
            ? this.#type(items as JsonSchema, `${name}.@items`)
            : dynType,
        );
      }
      case 'object':
        return this.#object(schema, name);
      default:
        return dynType;
    }
  }

  #object(schema: JsonSchema, name: string): Type {
    if (schema.properties !== undefined) {
      this.define(name, schema);
      return structType(name);
    }
    const { additionalProperties: entries } = schema;
    return mapOf(
      stringType,
      typeof entries === 'object' ? this.#type(entries, `${name}.@values`) : dynType,
    );
  }

  #reference(reference: string): Type {
    if (reference === '#') return structType(this.#name);
    const [, name = ''] = /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec(reference) ?? [];
    const definitions = { ...this.#root.definitions, ...this.#root.$defs };
    const known = this.#types.has(`${this.#name}.${name}`);
    if (known) return structType(`${this.#name}.${name}`);
    const target = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
    if (target !== undefined) return this.#type(target, `${this.#name}.${name}`);
    const last = reference.split('/').at(-1) ?? '';
    return this.#types.has(last) ? structType(last) : dynType;
  }
}
