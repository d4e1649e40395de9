import { mergeDefinitions, mergeKinds } from './merge-keys.data.ts';

/** What is known of the place of a value in a built-in type. */
export interface MergeSchema {
  /** The definition of a map there, or of the items of a list. */
  readonly definition: string;
  /** The merge keys of a list that is merged; none for one of primitives. Undefined for other lists. */
  readonly keys?: readonly string[];
}

/** The schema of a kind, or undefined for one that is not built in. */
export function schemaOfKind(apiVersion: string, kind: string): MergeSchema | undefined {
  const name = `${apiVersion}/${kind}`;
  if (!Object.hasOwn(mergeKinds, name)) return undefined;
  return { definition: mergeKinds[name] ?? '' };
}

const fieldSchemas = new Map<string, Map<string, MergeSchema>>();
const unknownSchema: MergeSchema = { definition: '' };

/** The schema of a member of a map. */
export function schemaOfField({ definition }: MergeSchema, field: string): MergeSchema {
  if (definition === '') return unknownSchema;
  const known = fieldSchemas.get(definition);
  const schemas = known ?? new Map<string, MergeSchema>();
  if (known === undefined) fieldSchemas.set(definition, schemas);
  const found = schemas.get(field);
  if (found !== undefined) return found;
  const schema = readField(definition, field);
  // Names that the type does not have are the user's, and would fill the memory.
  if (schema.definition !== '' || schema.keys !== undefined) schemas.set(field, schema);
  return schema;
}

function readField(definition: string, field: string): MergeSchema {
  const fields = Object.hasOwn(mergeDefinitions, definition)
    ? mergeDefinitions[definition]
    : undefined;
  const written = fields !== undefined && Object.hasOwn(fields, field) ? (fields[field] ?? '') : '';
  if (written === '') return unknownSchema;
  const [keys, items] = written.split('|');
  if (items === undefined) return { definition: written };
  return { definition: items, keys: keys ? keys.split(',') : [] };
}
