import type { JsonSchema } from '../format/json-schema.ts';

const text: JsonSchema = { type: 'string' };
const object: JsonSchema = { type: 'object' };

/** A request of kat (zemanlx/kat, `internal/loader/request.go`), which ignores other fields of a server's request. */
const request: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    apiVersion: text,
    kind: { anyOf: [text, object] },
    uid: text,
    resource: { anyOf: [text, object] },
    requestKind: object,
    requestResource: object,
    requestSubResource: text,
    dryRun: { type: 'boolean' },
    operation: { type: 'string', enum: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'] },
    subResource: text,
    name: text,
    namespace: text,
    namespaceObject: {
      type: 'object',
      properties: { kind: { type: 'string', const: 'Namespace' } },
    },
    userInfo: object,
    object,
    oldObject: object,
    options: object,
  },
};

const decisions: JsonSchema = {
  type: 'array',
  items: {
    type: 'object',
    required: ['resource', 'verb', 'decision'],
    additionalProperties: false,
    properties: {
      group: text,
      resource: text,
      subresource: text,
      namespace: text,
      verb: text,
      decision: { type: 'string', enum: ['allow', 'deny'] },
    },
  },
};

/** The schemas of the YAML files of a kat case, by the ends of their names. */
export const katSchemas: Readonly<Record<string, JsonSchema>> = {
  'request.yaml': request,
  'object.yaml': object,
  'oldObject.yaml': object,
  'params.yaml': object,
  'annotations.yaml': { type: 'object', additionalProperties: text },
  'authorizer.yaml': decisions,
  'gold.yaml': object,
  'expected.yaml': object,
};
