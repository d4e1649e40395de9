import { isObject, type JsonObject, member } from '@kubeadmit/apimachinery';
import { getOrMake, setKey } from '@kubeadmit/base';
import { formatJson } from '@kubeadmit/go';
import { type StructuralSchema, schemaOfKey, valuesOf } from './structural.ts';

const metaFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * Drops fields that a structural schema does not know (apiextensions, `pruning.Prune`); changes the value in place and
 * returns the paths of the dropped fields.
 */
export function prune(value: unknown, schema: StructuralSchema | undefined): readonly string[] {
  const gone: string[] = [];
  pruneValue(value, schema, true, [], gone);
  return gone.sort();
}

function pruneValue(
  value: unknown,
  schema: StructuralSchema | undefined,
  isResource: boolean,
  path: readonly string[],
  gone: string[],
): void {
  const keeps = schema?.preserveUnknownFields === true;
  if (Array.isArray(value)) {
    value.forEach((item, index) => {
      const inner = [...path, `[${index}]`];
      if (keeps) pruneKept(item, schema?.items, inner, gone);
      else pruneValue(item, schema?.items, isEmbedded(schema?.items), inner, gone);
    });
  }
  if (!isObject(value)) return;
  for (const key of Object.keys(value)) {
    if (isResource && schema && metaFields.has(key)) continue;
    const inner = [...path, path.length > 0 ? `.${key}` : key];
    const property = schema?.properties.get(key);
    if (property) pruneValue(value[key], property, isEmbedded(property), inner, gone);
    else if (schema?.additionalProperties !== undefined) {
      const values = valuesOf(schema);
      pruneValue(value[key], values, isEmbedded(values), inner, gone);
    } else if (!keeps) {
      if (!metaFields.has(key) || path.length > 0) gone.push(inner.join(''));
      delete value[key];
    }
  }
}

/** Items below unknown fields that are kept stay, unless they have a schema that keeps nothing. */
function pruneKept(
  value: unknown,
  schema: StructuralSchema | undefined,
  path: readonly string[],
  gone: string[],
): void {
  if (!schema) return;
  pruneValue(value, { ...schema, preserveUnknownFields: true }, isEmbedded(schema), path, gone);
}

function isEmbedded(schema: StructuralSchema | undefined): boolean {
  return schema?.embeddedResource === true;
}

/** A custom resource without unknown fields, and without nulls that mean nothing. */
export function pruned(object: JsonObject, schema: StructuralSchema): JsonObject {
  const result = copy(object);
  prune(result, schema);
  dropNulls(result, schema);
  return result;
}

/** Drops nulls that are neither allowed nor replaced by a default (`PruneNonNullableNullsWithoutDefaults`). */
export function dropNulls(value: unknown, schema: StructuralSchema | undefined): void {
  if (Array.isArray(value)) {
    for (const item of value) dropNulls(item, schema?.items);
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) {
      const inner = schemaOfKey(schema, key);
      const dropped =
        value[key] === null && inner && !inner.nullable && inner.default === undefined;
      if (dropped) delete value[key];
      else dropNulls(value[key], inner);
    }
  }
}

/**
 * Sets the defaults of a structural schema in place (apiextensions, `defaulting.Default`).
 *
 * @throws RangeError if the defaults are much larger than an object may be
 */
export function setDefaults(value: unknown, schema: StructuralSchema | undefined): void {
  setInner(value, schema, new Defaults());
}

function setInner(value: unknown, schema: StructuralSchema | undefined, defaults: Defaults): void {
  if (!schema) return;
  if (Array.isArray(value)) {
    value.forEach((item, index) => {
      if (isReplaced(item, schema.items)) value[index] = defaults.of(schema.items);
      setInner(value[index], schema.items, defaults);
    });
  } else if (isObject(value)) {
    setProperties(value, schema, defaults);
    for (const key of Object.keys(value)) {
      const property = schema.properties.get(key);
      const values = valuesOf(schema);
      if (!property && isReplaced(value[key], values)) setKey(value, key, defaults.of(values));
      setInner(member(value, key), property ?? values, defaults);
    }
  }
}

function setProperties(object: JsonObject, schema: StructuralSchema, defaults: Defaults): void {
  for (const [key, property] of schema.properties) {
    if (property.default === undefined) continue;
    if (!Object.hasOwn(object, key) || isReplaced(object[key], property)) {
      setKey(object, key, defaults.of(property));
    }
  }
}

// An object of more than 1.5 MiB cannot be stored.
const largestDefaults = 8 * 2 ** 20;

const sizes: WeakMap<StructuralSchema, number> = new WeakMap();

/** Copies the defaults for one object: each item of a list can get a large one. */
class Defaults {
  #size = 0;

  of(schema: StructuralSchema | undefined): unknown {
    const value = schema?.default ?? null;
    if (schema === undefined || value === null) return value;
    this.#size += getOrMake(sizes, schema, () => formatJson(value).length);
    if (this.#size > largestDefaults) {
      throw new RangeError('the defaults of the definition make the object too large');
    }
    return copy(value);
  }
}

function isReplaced(value: unknown, schema: StructuralSchema | undefined): boolean {
  return value === null && schema !== undefined && !schema.nullable;
}

/** A deep copy of JSON; wrapped numbers and the nil list are shared. */
export function copy<T>(value: T): T {
  if (value === nilList) return value;
  if (Array.isArray(value)) return value.map(copy) as T;
  if (!isObject(value)) return value;
  const result: JsonObject = {};
  for (const key of Object.keys(value)) setKey(result, key, copy(value[key]));
  return result as T;
}

/**
 * The list that is nil to Go, of which there is but one: a list without elements to everything that reads it, but null
 * in JSON. Expressions make it of an empty list literal.
 */
export const nilList: readonly never[] = Object.freeze([]);
