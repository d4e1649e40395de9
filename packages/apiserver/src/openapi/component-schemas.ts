import { compareText } from '@kubeadmit/go';
import type { Schemas } from '@kubeadmit/schemas';
import { type Field, type Shape, type StructType, structNamed } from '@kubeadmit/schemas/types';
import { patchStrategyOf } from '../patches/patch-strategies.ts';
import { leafNames, schemaName } from './schema-names.ts';

export type OpenApiSchema = { [key: string]: unknown };

const leaves: Readonly<Record<string, OpenApiSchema>> = {
  [leafNames.quantity]: { oneOf: [{ type: 'string' }, { type: 'number' }] },
  [leafNames.intOrString]: {
    format: 'int-or-string',
    oneOf: [{ type: 'integer' }, { type: 'string' }],
  },
  [leafNames.time]: { type: 'string', format: 'date-time' },
  [leafNames.microTime]: { type: 'string', format: 'date-time' },
  [leafNames.rawExtension]: { type: 'object' },
  [leafNames.fields]: { type: 'object' },
};

/** The named schemas of shapes, by kind and by the part that varies. */
const leafOf: Readonly<Record<string, string>> = {
  time: leafNames.time,
  microtime: leafNames.microTime,
  quantity: leafNames.quantity,
  intorstring: leafNames.intOrString,
  raw: leafNames.rawExtension,
  fields: leafNames.fields,
};

/** The schemas of other shapes by their kinds; those that are not here are texts. */
const plainSchemas: Readonly<Record<string, OpenApiSchema>> = {
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  float64: { type: 'number', format: 'double' },
  bytes: { type: 'string', format: 'byte' },
  any: {},
};

/** The schemas of structs and of all that they are made of, by their OpenAPI names. */
export class ComponentSchemas {
  readonly made: Record<string, OpenApiSchema> = {};
  readonly #schemas: Schemas;

  constructor(schemas: Schemas) {
    this.#schemas = schemas;
  }

  /** Adds a struct, and returns the name of its schema. */
  add(struct: string): string {
    const name = schemaName(struct);
    if (Object.hasOwn(this.made, name)) return name;
    const type = structNamed(this.#schemas, struct);
    const schema: OpenApiSchema = { type: 'object' };
    this.made[name] = schema;
    if (type === undefined) return name;
    Object.assign(schema, this.#structSchema(type));
    return name;
  }

  #structSchema(type: StructType): OpenApiSchema {
    const properties: Record<string, OpenApiSchema> = {};
    const required: string[] = [];
    for (const field of [...type.fields].sort((a, b) => compareText(a.name, b.name))) {
      properties[field.name] = this.#fieldSchema(type, field);
      if (isRequired(field)) required.push(field.name);
    }
    return {
      type: 'object',
      ...(type.fields.length === 0 ? {} : { properties }),
      ...(required.length === 0 ? {} : { required }),
      ...(type.map === undefined ? {} : { 'x-kubernetes-map-type': type.map }),
    };
  }

  #fieldSchema(struct: StructType, field: Field): OpenApiSchema {
    const schema = this.#shapeSchema(field.shape);
    const own = schema['$ref'] === undefined ? schema : { allOf: [schema] };
    const isListed = field.shape.kind === 'list';
    const strategy = isListed ? patchStrategyOf(struct, field) : undefined;
    return {
      ...own,
      ...(field.keys === undefined ? {} : { 'x-kubernetes-list-map-keys': field.keys }),
      ...(isListed && field.list !== undefined ? { 'x-kubernetes-list-type': field.list } : {}),
      ...(field.map === undefined ? {} : { 'x-kubernetes-map-type': field.map }),
      ...(strategy?.mergeKey === undefined
        ? {}
        : { 'x-kubernetes-patch-merge-key': strategy.mergeKey }),
      ...(strategy === undefined ? {} : { 'x-kubernetes-patch-strategy': 'merge' }),
    };
  }

  #shapeSchema(shape: Shape): OpenApiSchema {
    const { kind, element, free = '' } = shape;
    if (kind === 'struct') return this.#reference(this.add(shape.struct ?? ''));
    if (kind === 'list') return { type: 'array', items: this.#shapeSchema(element as Shape) };
    if (kind === 'map') {
      return { type: 'object', additionalProperties: this.#shapeSchema(element as Shape) };
    }
    const leaf = leafOf[kind === 'any' ? free : kind];
    return leaf === undefined
      ? { ...(plainSchemas[kind] ?? { type: 'string' }) }
      : this.#leaf(leaf);
  }

  #leaf(name: string): OpenApiSchema {
    this.made[name] ??= { ...leaves[name] };
    return this.#reference(name);
  }

  #reference(name: string): OpenApiSchema {
    return { $ref: `#/components/schemas/${name}` };
  }
}

// Go's generator calls a field required when it is always written; the head and the parts of objects are not.
function isRequired({ name, omitEmpty, omitZero, shape }: Field): boolean {
  const isOptional = ['kind', 'apiVersion', 'metadata', 'status', 'creationTimestamp'].includes(
    name,
  );
  return !omitEmpty && !omitZero && !shape.pointer && !isOptional;
}
