import { expectationSchema } from './expectation-schema.ts';
import type { JsonSchema } from './json-schema.ts';

const anything: JsonSchema = { type: 'object' };
const texts: JsonSchema = { type: 'array', items: { type: 'string' } };

const sources = (description: string): JsonSchema => ({
  description,
  type: 'array',
  items: { anyOf: [{ type: 'string', minLength: 1 }, anything] },
});

const reference = (description: string): JsonSchema => ({
  description,
  anyOf: [{ type: 'string', minLength: 1 }, anything],
});

const cluster: Readonly<Record<string, JsonSchema>> = {
  policies: sources(
    'The policies to test: files, folders, patterns such as `policies/*.yaml`, or inline objects. The files may also contain bindings, parameters and other objects of the cluster.',
  ),
  bindings: {
    description:
      'Bindings of the policies: files, folders, patterns or inline objects. `auto` adds a binding with the action Deny and all parameters to each policy without one.',
    anyOf: [{ type: 'string', const: 'auto' }, sources('')],
  },
  parameters: sources('Parameters: the objects that policies read as `params`.'),
  namespaces: {
    description:
      'Namespaces: files or inline objects, or a map from names to labels (`shop: {environment: production}`).',
    anyOf: [
      sources(''),
      {
        type: 'object',
        additionalProperties: { type: 'object', additionalProperties: { type: 'string' } },
      },
    ],
  },
  rbac: sources('Roles, ClusterRoles and their bindings, for checks with `authorizer`.'),
  definitions: sources('CustomResourceDefinitions of the kinds in the suite.'),
  resources: sources(
    'Other objects of the cluster, for example those that Kyverno rules or admission plugins read.',
  ),
  plugins: {
    description:
      'The admission plugins of the server: `default` (those that kube-apiserver enables; also if this field is absent), `policies`, `envtest`, `none`, or a list of plugin names.',
    anyOf: [{ type: 'string', enum: ['default', 'policies', 'none', 'envtest'] }, texts],
  },
};

const request: Readonly<Record<string, JsonSchema>> = {
  object: reference(
    'The object of the request: inline, or `FILE`, `FILE#Kind/name`, `FILE#Kind/namespace/name` or `FILE#2` (the second document).',
  ),
  objects: {
    description: 'Files, folders or patterns. Each object in them becomes a separate case.',
    anyOf: [{ type: 'string', minLength: 1 }, texts],
  },
  request: reference(
    'The request: an inline AdmissionRequest, or the file of an AdmissionReview (`FILE`, `FILE#2`).',
  ),
  requests: {
    description: 'Files with AdmissionReviews. Each request in them becomes a separate case.',
    anyOf: [{ type: 'string', minLength: 1 }, texts],
  },
  oldObject: reference(
    'The object before an UPDATE (default: the object without the changes of this case).',
  ),
  operation: {
    description: 'The operation of the request (default: CREATE).',
    type: 'string',
    enum: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'],
  },
  subresource: {
    description: 'The subresource of the request, for example `scale` or `status` (default: none).',
    type: 'string',
  },
  namespace: {
    description: 'The namespace of objects without one (default: `default`).',
    type: 'string',
  },
  user: {
    description: 'The user of the request: a name, or an object with name, uid, groups and extra.',
    anyOf: [
      { type: 'string', minLength: 1 },
      {
        type: 'object',
        required: ['name'],
        additionalProperties: false,
        properties: {
          name: { description: 'The name of the user.', type: 'string' },
          uid: { description: 'The uid of the user (default: empty).', type: 'string' },
          groups: { description: 'The groups of the user (default: none).', ...texts },
          extra: {
            description: 'Additional information about the user: lists of values by key.',
            type: 'object',
            additionalProperties: texts,
          },
        },
      },
    ],
  },
  dryRun: { description: 'Whether the request is a dry run (default: false).', type: 'boolean' },
};

const changes: Readonly<Record<string, JsonSchema>> = {
  set: {
    description:
      'Sets fields: values by field path, for example `spec.replicas: 3`, `spec.containers[0].image: nginx`, `metadata.labels["app.kubernetes.io/name"]: web`.',
    type: 'object',
    minProperties: 1,
  },
  remove: { description: 'Removes fields: a list of field paths.', ...texts, minItems: 1 },
  merge: {
    description: 'A JSON merge patch (RFC 7386); null removes a field.',
    type: 'object',
    minProperties: 1,
  },
  patch: {
    description: 'A JSON patch (RFC 6902): a list of operations.',
    type: 'array',
    minItems: 1,
    items: {
      type: 'object',
      required: ['op', 'path'],
      additionalProperties: false,
      properties: {
        op: {
          description: 'The operation.',
          type: 'string',
          enum: ['add', 'remove', 'replace', 'move', 'copy', 'test'],
        },
        path: {
          description: 'The JSON pointer of the field, for example `/spec/replicas`.',
          type: 'string',
        },
        from: { description: 'The JSON pointer to move or copy from.', type: 'string' },
        value: { description: 'The value to add, replace or test.' },
      },
    },
  },
};

const common: Readonly<Record<string, JsonSchema>> = {
  description: { description: 'A description for readers; it has no effect.', type: 'string' },
  skip: {
    description: 'Skips this suite or case; the value is the reason.',
    type: 'string',
    minLength: 1,
  },
  ...cluster,
  ...request,
  ...changes,
  kubernetesVersions: {
    description:
      'Kubernetes versions, for example "1.34". The cases run once for each (default: the newest that is known).',
    type: 'array',
    minItems: 1,
    items: { type: 'string' },
  },
  expect: { $ref: '#/definitions/expectation' },
  cases: {
    description:
      'The cases. Each inherits the fields around it and may override them; changes are combined.',
    type: 'array',
    minItems: 1,
    items: { $ref: '#/definitions/case' },
  },
};

/**
 * The format of `*.admit.yaml` files as JSON Schema (draft 7); readers of tests and editors go by the same one.
 */
export const suiteSchema: JsonSchema & Readonly<Record<string, unknown>> = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Tests of admission policies (*.admit.yaml)',
  description: 'A suite of cases for Kubernetes admission policies, run by `kubeadmit test`.',
  type: 'object',
  required: ['cases'],
  additionalProperties: false,
  properties: {
    apiVersion: {
      description: 'The API version of the format; optional.',
      type: 'string',
      const: 'kubeadmit.dev/v1',
    },
    kind: { description: 'The kind of the document; optional.', type: 'string', const: 'Suite' },
    name: {
      description: 'The name of the suite (default: the name of the file).',
      type: 'string',
      minLength: 1,
    },
    strict: {
      description: 'Whether a policy that matches no case is an error (default: true).',
      type: 'boolean',
    },
    ...common,
  },
  definitions: {
    case: {
      type: 'object',
      additionalProperties: false,
      properties: {
        name: {
          description: 'The name of the case (default: its changes, or its object).',
          type: 'string',
          minLength: 1,
        },
        ...common,
      },
    },
    expectation: expectationSchema,
  },
};
