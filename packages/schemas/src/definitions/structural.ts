import { isObject, type JsonObject, listOf, member, objectOf } from '@kubeadmit/apimachinery';

/**
 * A structural schema of a CustomResourceDefinition (apiextensions, `schema.Structural`). Formats, limits and rules for
 * validation are read from `source`.
 */
export interface StructuralSchema {
  /** `object`, `array`, `string`, `integer`, `number`, `boolean`, or empty. */
  readonly type: string;
  /** The format of a string; empty without one. */
  readonly format: string;
  /** Whether null is a value. */
  readonly nullable: boolean;
  /** The default; `undefined` if absent or null. */
  readonly default?: unknown;
  /** The declared fields. */
  readonly properties: ReadonlyMap<string, StructuralSchema>;
  /** Undefined where it is not given: fields that are not declared go. */
  readonly additionalProperties?: StructuralSchema | boolean;
  /** The schema of the elements. */
  readonly items?: StructuralSchema;
  /** `x-kubernetes-preserve-unknown-fields`. */
  readonly preserveUnknownFields: boolean;
  /** `x-kubernetes-embedded-resource`. */
  readonly embeddedResource: boolean;
  /** `x-kubernetes-int-or-string`. */
  readonly intOrString: boolean;
  /** `x-kubernetes-list-type`. */
  readonly listType?: string;
  /** `x-kubernetes-list-map-keys`; empty without one. */
  readonly listMapKeys: readonly string[];
  /** `x-kubernetes-map-type`. */
  readonly mapType?: string;
  /** The schema in the definition. */
  readonly source: JsonObject;
}

/** Why a schema is not structural, in kube-apiserver's words. */
export class SchemaProblem {
  /** The message of kube-apiserver. */
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

const unsupported: readonly (readonly [string, (value: unknown) => boolean])[] = [
  ['id', (value) => typeof value === 'string' && value !== ''],
  ['$schema', (value) => typeof value === 'string' && value !== ''],
  ['$ref', (value) => typeof value === 'string' && value !== ''],
  ['patternProperties', hasEntries],
  ['dependencies', hasEntries],
  ['additionalItems', (value) => value !== undefined && value !== null],
  ['definitions', hasEntries],
];

function hasEntries(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length > 0;
}

const maxDepth = 500;

/** Reads a schema of a definition, or says why it cannot be one. Cyclic values are refused, too. */
export function readStructural(source: unknown, depth = 0): StructuralSchema | SchemaProblem {
  try {
    return read(objectOf(source), depth);
  } catch (problem) {
    if (problem instanceof SchemaProblem) return problem;
    throw problem;
  }
}

function read(source: JsonObject, depth: number): StructuralSchema {
  if (depth > maxDepth)
    throw new SchemaProblem(`the schema is nested deeper than ${maxDepth} levels`);
  for (const [key, isSet] of unsupported) {
    if (isSet(member(source, key))) {
      const name = key === '$schema' ? 'schema' : key;
      throw new SchemaProblem(`OpenAPIV3Schema '${name}' is not supported`);
    }
  }
  for (const branch of branchesOf(source)) read(branch, depth + 1);
  if (member(source, 'x-kubernetes-preserve-unknown-fields') === false) {
    throw new SchemaProblem(
      "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined",
    );
  }
  const items = member(source, 'items');
  if (Array.isArray(items)) {
    if (items.length > 0) {
      throw new SchemaProblem("OpenAPIV3Schema 'items' must be a schema, but is an array");
    }
  }
  const properties = member(source, 'properties');
  const additional = member(source, 'additionalProperties');
  const value = member(source, 'default');
  const listType = text(source, 'x-kubernetes-list-type');
  const mapType = text(source, 'x-kubernetes-map-type');
  const keys = member(source, 'x-kubernetes-list-map-keys');
  return {
    type: text(source, 'type') ?? '',
    format: text(source, 'format') ?? '',
    nullable: member(source, 'nullable') === true,
    ...(value === undefined || value === null ? {} : { default: value }),
    properties: new Map(
      Object.entries(objectOf(properties)).map(([name, property]) => [
        name,
        read(objectOf(property), depth + 1),
      ]),
    ),
    ...(isObject(additional) ? { additionalProperties: read(additional, depth + 1) } : {}),
    ...(typeof additional === 'boolean' ? { additionalProperties: additional } : {}),
    ...(isObject(items) ? { items: read(items, depth + 1) } : {}),
    preserveUnknownFields: member(source, 'x-kubernetes-preserve-unknown-fields') === true,
    embeddedResource: member(source, 'x-kubernetes-embedded-resource') === true,
    intOrString: member(source, 'x-kubernetes-int-or-string') === true,
    ...(listType === undefined ? {} : { listType }),
    listMapKeys: Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : [],
    ...(mapType === undefined ? {} : { mapType }),
    source,
  };
}

/** Returns the additional schemas that a value must satisfy; they cannot allow more than the structural one. */
function branchesOf(source: JsonObject): JsonObject[] {
  const lists = ['allOf', 'anyOf', 'oneOf'].map((key) => member(source, key));
  return [member(source, 'not'), ...lists.flatMap((list) => listOf(list))].filter(isObject);
}

function text(source: JsonObject, key: string): string | undefined {
  const value = member(source, key);
  return typeof value === 'string' ? value : undefined;
}

/** The schema of additional properties, where it is a schema. */
export function valuesOf(schema: StructuralSchema): StructuralSchema | undefined {
  return typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
}

/** The schema of a key of an object. */
export function schemaOfKey(
  schema: StructuralSchema | undefined,
  key: string,
): StructuralSchema | undefined {
  return schema && (schema.properties.get(key) ?? valuesOf(schema));
}
