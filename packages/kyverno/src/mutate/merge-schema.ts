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

/** The schema of a member of a map. */
export function schemaOfField({ definition }: MergeSchema, field: string): MergeSchema {
  const fields = Object.hasOwn(mergeDefinitions, definition)
    ? mergeDefinitions[definition]
    : undefined;
  const written = fields !== undefined && Object.hasOwn(fields, field) ? (fields[field] ?? '') : '';
  const [keys, items] = written.split('|');
  if (items === undefined) return { definition: written };
  return { definition: items, keys: keys ? keys.split(',') : [] };
}
