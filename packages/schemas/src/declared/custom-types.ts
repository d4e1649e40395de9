import { member } from '@kubeadmit/apimachinery';
import { byteLength } from '@kubeadmit/go';
import { type StructuralSchema, valuesOf } from '../definitions/structural.ts';
import {
  boolDeclared,
  bytesDeclared,
  type DeclaredField,
  type DeclaredType,
  doubleDeclared,
  durationDeclared,
  intDeclared,
  intOrStringDeclared,
  listDeclared,
  mapDeclared,
  maxTextLength,
  textDeclared,
  timestampDeclared,
} from './declared-type.ts';
import { escapeProperty } from './escape.ts';

/** How a schema of a definition is declared. */
export interface DeclareOptions {
  /** Whether the schema is that of a whole object. */
  readonly isResource?: boolean;
  /** The type of objects' `metadata` (default: only `name` and `generateName`, as rules of definitions see it). */
  readonly metadata?: DeclaredType;
}

/**
 * Returns the CEL type of a definition's schema (apiserver, `common.SchemaDeclType`), or `undefined` if CEL cannot
 * see it.
 */
export function declareSchema(
  schema: StructuralSchema,
  options: DeclareOptions = {},
): DeclaredType | undefined {
  if (schema.intOrString) return intOrStringDeclared(textLimit(schema));
  switch (schema.type) {
    case 'array':
      return declareList(schema, options);
    case 'object':
      return declareObject(schema, options);
    case 'string':
      return declareText(schema);
    case 'boolean':
      return boolDeclared;
    case 'number':
      return doubleDeclared;
    case 'integer':
      return intDeclared;
    default:
      return undefined;
  }
}

function declareInner(schema: StructuralSchema, options: DeclareOptions): DeclaredType | undefined {
  return declareSchema(schema, { ...options, isResource: schema.embeddedResource });
}

/**
 * Declares a list. A list that is marked as a complete object, which definitions must not do, has no element type.
 */
function declareList(schema: StructuralSchema, options: DeclareOptions): DeclaredType | undefined {
  if (options.isResource) return undefined;
  const element = schema.items && declareInner(schema.items, options);
  return element && listDeclared(element, limit(schema, 'maxItems'));
}

function declareObject(
  schema: StructuralSchema,
  options: DeclareOptions,
): DeclaredType | undefined {
  const values = valuesOf(schema);
  if (values) {
    const element = declareInner(values, options);
    return element && mapDeclared(element, limit(schema, 'maxProperties'));
  }
  const fields = new Map<string, DeclaredField>();
  const required = member(schema.source, 'required');
  let minSize = 2;
  for (const [name, property] of schema.properties) {
    const type = declareInner(property, options);
    if (!type) continue;
    const isRequired = Array.isArray(required) && required.includes(name);
    const escaped = escapeProperty(name);
    if (escaped !== undefined) fields.set(escaped, { name, type, required: isRequired });
    if (isRequired && property.default === undefined) minSize += name.length + type.minSize + 4;
  }
  if (options.isResource) addMetadata(fields, schema, options.metadata);
  return { kind: 'object', fields, minSize };
}

/** Adds `apiVersion`, `kind` and `metadata`, which every object has, whatever its schema contains. */
function addMetadata(
  fields: Map<string, DeclaredField>,
  schema: StructuralSchema,
  metadata: DeclaredType | undefined,
): void {
  const declared = schema.properties.get('metadata');
  const isString = (of: StructuralSchema | undefined): boolean => of?.type === 'string';
  const isComplete =
    isString(schema.properties.get('kind')) &&
    isString(schema.properties.get('apiVersion')) &&
    declared?.type === 'object' &&
    isString(declared.properties.get('name')) &&
    isString(declared.properties.get('generateName'));
  if (isComplete && !metadata) return;
  const text = (name: string): DeclaredField => ({ name, type: textDeclared(), required: false });
  fields.set('apiVersion', text('apiVersion'));
  fields.set('kind', text('kind'));
  const capped = (name: string, most: number): [string, DeclaredField] => {
    const property = declared?.properties.get(name);
    const given = property && limit(property, 'maxLength');
    const type = textDeclared(Math.min(given ?? most, most) * maxBytesOfCharacter);
    return [name, { name, type, required: false }];
  };
  const names: DeclaredType = {
    kind: 'object',
    fields: new Map([capped('name', maxNameLength), capped('generateName', maxNameLength - 1)]),
    minSize: 2,
  };
  fields.set('metadata', { name: 'metadata', type: metadata ?? names, required: false });
}

function declareText(schema: StructuralSchema): DeclaredType {
  switch (schema.format) {
    case 'byte':
      return bytesDeclared(limit(schema, 'maxLength'));
    case 'duration':
      return durationDeclared;
    case 'date':
    case 'date-time':
      return timestampDeclared(schema.format);
    default:
      return textDeclared(textLimit(schema));
  }
}

/** The longest name of an object. */
const maxNameLength = 253;

const maxBytesOfCharacter = 4;

/** The most bytes of a text. */
function textLimit(schema: StructuralSchema): number {
  const length = limit(schema, 'maxLength');
  if (length !== undefined) return length * maxBytesOfCharacter;
  const values = member(schema.source, 'enum');
  if (schema.intOrString || !Array.isArray(values) || values.length === 0) return maxTextLength;
  return values.reduce<number>(
    (most, value) => (typeof value === 'string' ? Math.max(most, byteLength(value)) : most),
    0,
  );
}

function limit(schema: StructuralSchema, key: string): number | undefined {
  const value = member(schema.source, key);
  return typeof value === 'number' ? Math.max(value, 0) : undefined;
}
