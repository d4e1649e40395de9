import { getOrMake } from '@kubeadmit/base';
import { mergeDefinitions, mergeKinds } from './merge-keys.data.ts';

/** The known type of a value in a built-in kind. */
export interface MergeSchema {
  /** The definition of a map there, or of the items of a list; empty where none is known. */
  readonly definition: string;
  /** The merge keys of a list that is merged; none for one of primitives. Undefined for other lists. */
  readonly keys?: readonly string[];
}

/** The schema of a kind, or undefined for one that is not built in. */
export function schemaOfKind(apiVersion: string, kind: string): MergeSchema | undefined {
  if (!Object.hasOwn(mergeKinds, apiVersion)) return undefined;
  const [prefix, kinds = ''] = mergeKinds[apiVersion] ?? [];
  return kinds.split(' ').includes(kind) ? { definition: `${prefix}.${kind}` } : undefined;
}

const unknownSchema: MergeSchema = { definition: '' };

/** The schema of a member of a map. */
export function schemaOfField({ definition }: MergeSchema, field: string): MergeSchema {
  return (definition === '' ? undefined : fieldsOf(definition).get(field)) ?? unknownSchema;
}

const metadataAlone = 'metadata:apis.meta.v1.ObjectMeta';

const read = new Map<string, ReadonlyMap<string, MergeSchema>>();

function fieldsOf(definition: string): ReadonlyMap<string, MergeSchema> {
  return getOrMake(read, definition, () => {
    const fields = new Map<string, MergeSchema>();
    for (const field of (mergeDefinitions[definition] ?? metadataAlone).split(' ')) {
      const [name = '', keys = '', items] = field.split(/[:|]/);
      fields.set(
        name,
        items === undefined
          ? { definition: keys }
          : { definition: items, keys: keys === '' ? [] : keys.split(',') },
      );
    }
    return fields;
  });
}
