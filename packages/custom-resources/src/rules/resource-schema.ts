import type { StructuralSchema } from '@kubeadmit/schemas/definitions';

const textSchema: StructuralSchema = {
  type: 'string',
  format: '',
  nullable: false,
  properties: new Map(),
  preserveUnknownFields: false,
  embeddedResource: false,
  intOrString: false,
  listMapKeys: [],
  source: { type: 'string' },
};

const metadataSchema: StructuralSchema = {
  ...textSchema,
  type: 'object',
  properties: new Map([
    ['name', textSchema],
    ['generateName', textSchema],
  ]),
  source: { type: 'object' },
};

/**
 * The schema of a whole object as rules see it: with `apiVersion`, `kind` and the two names of `metadata`, unless it
 * declares them all itself (apiextensions, `model.WithTypeAndObjectMeta`).
 */
export function withTypeAndMetadata(schema: StructuralSchema): StructuralSchema {
  const { properties } = schema;
  const isText = (of: StructuralSchema | undefined): boolean => of?.type === 'string';
  const metadata = properties.get('metadata');
  const isComplete =
    isText(properties.get('kind')) &&
    isText(properties.get('apiVersion')) &&
    metadata?.type === 'object' &&
    isText(metadata.properties.get('name')) &&
    isText(metadata.properties.get('generateName'));
  if (isComplete) return schema;
  return {
    ...schema,
    properties: new Map([
      ...properties,
      ['kind', textSchema],
      ['apiVersion', textSchema],
      ['metadata', metadataSchema],
    ]),
  };
}
