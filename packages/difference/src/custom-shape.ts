import type { Resource, Schemas } from '@kubeadmit/schemas';
import { findDefinition, type StructuralSchema } from '@kubeadmit/schemas/definitions';
import {
  type Shape,
  type ShapeKind,
  structNamed,
  structOf,
  structShape,
} from '@kubeadmit/schemas/types';

const shapes = new WeakMap<StructuralSchema, Shape>();
const schemaOf = new WeakMap<Shape, StructuralSchema>();

/** Returns the shape of a kind's objects, or `undefined` if its fields are unknown. */
export function shapeOf(schemas: Schemas, resource: Resource): Shape | undefined {
  const struct = structOf(schemas, resource)?.name;
  if (struct !== undefined) return structShape(struct);
  const schema = findDefinition(schemas, resource)?.version?.schema;
  return schema && customShape(schema);
}

/** Returns the shape of a struct field, a list element or a map value. */
export function memberShape(schemas: Schemas, shape: Shape, name: string): Shape | undefined {
  const schema = schemaOf.get(shape);
  if (schema !== undefined) {
    const inner = schema.properties.get(name);
    if (inner !== undefined) return customShape(inner);
    return commonFields.has(name) && schema.type === 'object'
      ? metadataShape(schemas, name)
      : undefined;
  }
  return shape.struct === undefined
    ? undefined
    : structNamed(schemas, shape.struct)?.byName.get(name)?.shape;
}

/** Whether a value may have fields other than the known ones. */
export function isOpen(shape: Shape): boolean {
  return schemaOf.get(shape)?.preserveUnknownFields === true;
}

const commonFields: ReadonlySet<string> = new Set(['metadata']);

function metadataShape(schemas: Schemas, name: string): Shape | undefined {
  const pod = structOf(schemas, { group: '', version: 'v1', kind: 'Pod' });
  return pod?.byName.get(name)?.shape;
}

function customShape(schema: StructuralSchema): Shape {
  const known = shapes.get(schema);
  if (known !== undefined) return known;
  const kind = kindOf(schema);
  const { additionalProperties: values, items } = schema;
  const inner = kind === 'list' ? items : typeof values === 'object' ? values : undefined;
  const shape: Shape = {
    kind,
    pointer: false,
    go: schema.type,
    ...(inner === undefined ? {} : { element: customShape(inner) }),
  };
  shapes.set(schema, shape);
  schemaOf.set(shape, schema);
  return shape;
}

function kindOf({
  type,
  intOrString,
  additionalProperties,
  properties,
}: StructuralSchema): ShapeKind {
  if (intOrString) return 'intorstring';
  switch (type) {
    case 'boolean':
      return 'bool';
    case 'integer':
      return 'int64';
    case 'number':
      return 'float64';
    case 'string':
      return 'string';
    case 'array':
      return 'list';
    case 'object':
      return properties.size === 0 && additionalProperties !== undefined ? 'map' : 'struct';
    default:
      return 'any';
  }
}
