import { parseShape } from '../types/shape.ts';
import type { Field, StructType } from '../types/type-store.ts';

const metadata = struct('PartialObjectMetadata', [field('metadata', 'meta.v1.ObjectMeta')]);
const metadataList = struct('PartialObjectMetadataList', [
  field('metadata', 'meta.v1.ListMeta'),
  field('items', `[]${metadata.name}`),
]);

/** The structs that stand for any other with its metadata alone (`meta.k8s.io/v1`), which no resource has. */
export const partialStructs: ReadonlyMap<string, StructType> = new Map(
  [metadata, metadataList].map((type) => [type.name, type]),
);

/** The field numbers of {@link partialStructs}, in the form of the data. */
export const partialNumbers: string = [
  `${metadata.name} {"metadata":1}`,
  `${metadataList.name} {"metadata":1,"items":2}`,
].join('\n');

/** The name of the struct of a kind that belongs to every group or to none; undefined for all others. */
export function metaStruct(apiVersion: string, kind: string): string | undefined {
  if (kind === 'DeleteOptions') return 'meta.v1.DeleteOptions';
  const isPartial = apiVersion.startsWith('meta.k8s.io/') && partialStructs.has(`meta.v1.${kind}`);
  return isPartial ? `meta.v1.${kind}` : undefined;
}

function struct(ownName: string, fields: readonly Field[]): StructType {
  return {
    name: `meta.v1.${ownName}`,
    ownName,
    fields,
    byName: new Map(fields.map((each) => [each.name, each])),
  };
}

function field(name: string, type: string): Field {
  const shape = parseShape(type);
  return { name, shape, omitEmpty: false, omitZero: false, always: true, path: name };
}
