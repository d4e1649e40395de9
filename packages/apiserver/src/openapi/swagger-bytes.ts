import { concatenateBytes, encodeUtf8, formatJson } from '@kubeadmit/go';
import type { OpenApiSchema } from './component-schemas.ts';
import { bytesField, messageField, stringField } from './protobuf-fields.ts';
import type { SwaggerDocument } from './swagger.ts';

/**
 * The bytes of an OpenAPI 2 document (gnostic `openapi.v2.Document` in protobuf), with the parts of schemas that
 * clients read.
 */
export function swaggerBytes({ swagger, info, definitions }: SwaggerDocument): Uint8Array {
  return concatenateBytes([
    stringField(1, swagger),
    messageField(2, [stringField(1, info.title), stringField(2, info.version)]),
    messageField(8, []),
    messageField(
      9,
      Object.entries(definitions).map(([name, schema]) => namedSchema(1, name, schema)),
    ),
  ]);
}

// openapi.v2.NamedSchema
function namedSchema(number: number, name: string, schema: OpenApiSchema): Uint8Array {
  return messageField(number, [stringField(1, name), messageField(2, schemaFields(schema))]);
}

// openapi.v2.Schema
function schemaFields(schema: OpenApiSchema): Uint8Array[] {
  const text = (number: number, key: string): Uint8Array[] =>
    typeof schema[key] === 'string' ? [stringField(number, schema[key])] : [];
  const { properties, additionalProperties, items, required, type } = schema;
  return [
    ...text(1, '$ref'),
    ...text(2, 'format'),
    ...text(4, 'description'),
    ...(Array.isArray(required) ? required.map((name) => stringField(19, String(name))) : []),
    ...(typeof additionalProperties === 'object' && additionalProperties !== null
      ? [messageField(21, [messageField(1, schemaFields(additionalProperties as OpenApiSchema))])]
      : []),
    ...(typeof type === 'string' ? [messageField(22, [stringField(1, type)])] : []),
    ...(typeof items === 'object' && items !== null
      ? [messageField(23, [messageField(1, schemaFields(items as OpenApiSchema))])]
      : []),
    ...(typeof properties === 'object' && properties !== null
      ? [
          messageField(
            25,
            Object.entries(properties).map(([name, own]) =>
              namedSchema(1, name, own as OpenApiSchema),
            ),
          ),
        ]
      : []),
    ...Object.entries(schema)
      .filter(([key]) => key.startsWith('x-'))
      .map(([key, value]) => extension(31, key, value)),
  ];
}

// openapi.v2.NamedAny, whose value is YAML, of which JSON is a part
function extension(number: number, name: string, value: unknown): Uint8Array {
  const yaml = encodeUtf8(`${formatJson(value)}\n`);
  return messageField(number, [stringField(1, name), messageField(2, [bytesField(2, yaml)])]);
}
