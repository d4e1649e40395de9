import { type StructuralSchema, valuesOf } from '../definitions/structural.ts';
import { deduced, freeForm, untypedAtomic } from './free-types.ts';
import type { MergeDefault, MergeField, MergeList, MergeMap, MergeType } from './merge-type.ts';

const text: MergeType = { scalar: 'string' };

const headFields: readonly string[] = ['apiVersion', 'kind', 'metadata'];

/** How objects of a version of a definition merge; without a schema, everything is taken as it comes. */
export function customMergeType(
  schema: StructuralSchema | undefined,
  metadata: MergeType,
): MergeType {
  if (!schema) return freeForm;
  const root = { ...schema, embeddedResource: true };
  return new CustomTypes(metadata).type(root, false);
}

class CustomTypes {
  readonly #metadata: MergeType;

  constructor(metadata: MergeType) {
    this.#metadata = metadata;
  }

  /** @param inherited whether a schema around this one keeps unknown fields */
  type(schema: StructuralSchema, inherited: boolean): MergeType {
    const keeps = inherited || schema.preserveUnknownFields;
    switch (schema.type) {
      case '':
        return {
          scalar: 'untyped',
          list: this.#list(schema, keeps),
          map: this.#map(schema, keeps),
        };
      case 'object':
        return { map: this.#map(schema, keeps) };
      case 'array':
        return { list: this.#list(schema, keeps) };
      case 'integer':
      case 'number':
        return { scalar: 'numeric' };
      case 'boolean':
        return { scalar: 'boolean' };
      case 'string':
        return { scalar: schema.format === '' || schema.format === 'byte' ? 'string' : 'untyped' };
      default:
        return { scalar: 'untyped' };
    }
  }

  #list(schema: StructuralSchema, keeps: boolean): MergeList {
    const { items, listType, listMapKeys } = schema;
    return {
      element: items ? this.type(items, keeps) : untypedAtomic,
      atomic: listType !== 'set' && listType !== 'map',
      keys: listType === 'map' ? listMapKeys : [],
    };
  }

  #map(schema: StructuralSchema, keeps: boolean): MergeMap {
    const fields = new Map<string, MergeField>();
    const element = this.#element(schema, keeps);
    return {
      atomic: schema.mapType === 'atomic',
      names: () => [...schema.properties.keys(), ...(schema.embeddedResource ? headFields : [])],
      field: (name) => {
        const known = fields.get(name) ?? this.#field(schema, name, keeps);
        if (known) fields.set(name, known);
        return known;
      },
      ...(element ? { element } : {}),
    };
  }

  #field(schema: StructuralSchema, name: string, keeps: boolean): MergeField | undefined {
    if (schema.embeddedResource) {
      if (name === 'metadata') return { type: this.#metadata };
      if (name === 'apiVersion' || name === 'kind') return { type: text };
    }
    const property = schema.properties.get(name);
    if (!property) return undefined;
    const type = this.type(property, keeps);
    return property.default === undefined
      ? { type }
      : { type, default: property.default as MergeDefault };
  }

  #element(schema: StructuralSchema, keeps: boolean): MergeType | undefined {
    const values = valuesOf(schema);
    if (values) return this.type(values, keeps);
    if (schema.additionalProperties !== undefined) {
      return schema.additionalProperties === true ? deduced : undefined;
    }
    const isFree = schema.properties.size === 0 && !schema.embeddedResource;
    return keeps || isFree ? deduced : undefined;
  }
}
