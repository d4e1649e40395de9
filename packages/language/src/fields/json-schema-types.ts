import type { Type } from '@kubeadmit/cel';
import {
  boolType,
  doubleType,
  dynType,
  intType,
  listOf,
  mapOf,
  stringType,
  structType,
} from '@kubeadmit/cel/types';
import type { FieldInfo, Fields } from './field-info.ts';

/** The supported part of a JSON Schema. */
export interface JsonSchema {
  /** A schema of this document, such as `#/definitions/case`. */
  readonly $ref?: string;
  /** The type of JSON. */
  readonly type?: string;
  /** The description of a field. */
  readonly description?: string;
  /** The only values. */
  readonly enum?: readonly unknown[];
  /** The only value. */
  readonly const?: unknown;
  /** Forms of which a value has at least one. */
  readonly anyOf?: readonly JsonSchema[];
  /** Forms of which a value has one. */
  readonly oneOf?: readonly JsonSchema[];
  /** The schema of a list's elements. */
  readonly items?: JsonSchema;
  /** Fields by name. */
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  /** The schema of other fields; `false` forbids them. */
  readonly additionalProperties?: JsonSchema | boolean;
  /** Schemas that others refer to. */
  readonly definitions?: Readonly<Record<string, JsonSchema>>;
}

/** The object types of a JSON Schema by names that begin with a prefix. */
export class JsonSchemaTypes {
  readonly root: Type;
  readonly #prefix: string;
  readonly #schema: JsonSchema;
  readonly #objects: Map<string, JsonSchema> = new Map();

  constructor(schema: JsonSchema, prefix: string) {
    this.#schema = schema;
    this.#prefix = prefix;
    this.root = this.#typeOf(schema, prefix);
  }

  /** The fields of an object type; `undefined` for names that are not of this schema. */
  fieldsOf(name: string): Fields | undefined {
    if (!name.startsWith(this.#prefix)) return undefined;
    const properties = this.#objects.get(name)?.properties;
    return (
      properties &&
      new Map(
        Object.entries(properties).map(([field, schema]) => [
          field,
          this.#field(name, field, schema),
        ]),
      )
    );
  }

  #field(owner: string, name: string, given: JsonSchema): FieldInfo {
    const schema = this.#resolved(given);
    const values = this.#choices(given).flatMap((each) => [
      ...(each.enum ?? []),
      ...(each.const === undefined ? [] : [each.const]),
    ]);
    const texts = values.filter((value) => typeof value === 'string');
    const description = given.description ?? schema.description;
    return {
      name,
      escaped: name,
      type: this.#typeOf(given, `${owner}.${name}`),
      about: aboutOf(this.#choices(given)),
      owner,
      ...(description === undefined ? {} : { description }),
      ...(texts.length === 0 ? {} : { values: texts }),
    };
  }

  #resolved(schema: JsonSchema): JsonSchema {
    const name = /^#\/definitions\/(\w+)$/.exec(schema.$ref ?? '')?.[1];
    return (name !== undefined && this.#schema.definitions?.[name]) || schema;
  }

  /** Returns the alternatives of a schema, or the schema itself. */
  #choices(given: JsonSchema): readonly JsonSchema[] {
    const schema = this.#resolved(given);
    const inner = schema.anyOf ?? schema.oneOf;
    return inner === undefined ? [schema] : inner.flatMap((each) => this.#choices(each));
  }

  #typeOf(given: JsonSchema, path: string): Type {
    const choices = this.#choices(given);
    const schema =
      choices.find(({ properties }) => properties !== undefined) ??
      choices.find(({ type }) => type === 'array') ??
      choices.find(({ type }) => type === 'object') ??
      choices[0];
    if (schema?.properties !== undefined) {
      // Definitions may hold themselves: they are named by where they are used first.
      const known = [...this.#objects].find(([, each]) => each === schema)?.[0];
      if (known !== undefined) return structType(known);
      this.#objects.set(path, schema);
      return structType(path);
    }
    switch (schema?.type) {
      case 'array':
        return listOf(
          schema.items === undefined ? dynType : this.#typeOf(schema.items, `${path}[]`),
        );
      case 'object': {
        const values = schema.additionalProperties;
        return typeof values === 'object'
          ? mapOf(stringType, this.#typeOf(values, `${path}{}`))
          : dynType;
      }
      default:
        return scalarTypes.get(schema?.type ?? '') ?? dynType;
    }
  }
}

const names: Readonly<Record<string, string>> = {
  string: 'text',
  array: 'list',
  boolean: 'truth value',
  integer: 'integer',
  number: 'number',
  object: 'object',
};

function aboutOf(choices: readonly JsonSchema[]): string {
  const found = choices.map(({ type = '' }) =>
    Object.hasOwn(names, type) ? (names[type] ?? '') : 'any value',
  );
  return [...new Set(found)].join(' or ');
}

/** The types of scalars by the names that JSON Schema and the tables of Kyverno's fields have for them. */
const scalarTypes: ReadonlyMap<string, Type> = new Map([
  ['string', stringType],
  ['boolean', boolType],
  ['bool', boolType],
  ['integer', intType],
  ['int', intType],
  ['int32', intType],
  ['int64', intType],
  ['number', doubleType],
]);
