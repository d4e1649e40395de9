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
    'Policies that are tested: files, folders, patterns such as `policies/*.yaml`, or objects written here. They may hold bindings, parameters and whatever else a cluster holds.',
  ),
  bindings: {
    description:
      'Bindings of the policies: files, folders, patterns or objects; or `auto` for one binding that denies (with all parameters) for each policy that has none.',
    anyOf: [{ type: 'string', const: 'auto' }, sources('')],
  },
  parameters: sources('Objects that policies take as `params`.'),
  namespaces: {
    description:
      'Namespaces: files or objects, or the labels of each namespace by its name (`shop: {environment: production}`).',
    anyOf: [
      sources(''),
      {
        type: 'object',
        additionalProperties: { type: 'object', additionalProperties: { type: 'string' } },
      },
    ],
  },
  rbac: sources('Roles, ClusterRoles and their bindings, which answer `authorizer`.'),
  definitions: sources('CustomResourceDefinitions.'),
  resources: sources(
    'Other objects of the cluster, such as those that Kyverno rules look up and those that admission plugins read.',
  ),
  plugins: {
    description:
      'The admission plugins of the server: those of policies (the default), those that kube-apiserver enables, those of envtest, none, or names of plugins.',
    anyOf: [{ type: 'string', enum: ['default', 'policies', 'none', 'envtest'] }, texts],
  },
};

const request: Readonly<Record<string, JsonSchema>> = {
  object: reference(
    'The object of the request: written here, or `FILE`, `FILE#Kind/name`, `FILE#Kind/namespace/name` or `FILE#2` (the second document).',
  ),
  objects: {
    description: 'Files, folders or patterns: each of their objects is a separate case.',
    anyOf: [{ type: 'string', minLength: 1 }, texts],
  },
  request: reference(
    'An AdmissionRequest written here, or the file of an AdmissionReview (`FILE`, `FILE#2`).',
  ),
  requests: {
    description: 'Files of AdmissionReviews: each of their requests is a separate case.',
    anyOf: [{ type: 'string', minLength: 1 }, texts],
  },
  oldObject: reference(
    'What the object was before an UPDATE; default the object without the changes of the case itself.',
  ),
  operation: {
    description: 'Default `CREATE`.',
    type: 'string',
    enum: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'],
  },
  subresource: { description: 'For example `scale` or `status`.', type: 'string' },
  namespace: {
    description: 'The namespace of objects that name none; default `default`.',
    type: 'string',
  },
  user: {
    description: 'Who makes the request: a name, or all that is known of the user.',
    anyOf: [
      { type: 'string', minLength: 1 },
      {
        type: 'object',
        required: ['name'],
        additionalProperties: false,
        properties: {
          name: { type: 'string' },
          uid: { type: 'string' },
          groups: texts,
          extra: { type: 'object', additionalProperties: texts },
        },
      },
    ],
  },
  dryRun: { type: 'boolean' },
};

const changes: Readonly<Record<string, JsonSchema>> = {
  set: {
    description:
      'Values by field path: `spec.replicas: 3`, `spec.containers[0].image: nginx`, `metadata.labels["app.kubernetes.io/name"]: web`.',
    type: 'object',
    minProperties: 1,
  },
  remove: { description: 'Field paths that are taken away.', ...texts, minItems: 1 },
  merge: {
    description: 'A JSON merge patch (RFC 7386): null takes a field away.',
    type: 'object',
    minProperties: 1,
  },
  patch: {
    description: 'A JSON patch (RFC 6902).',
    type: 'array',
    minItems: 1,
    items: {
      type: 'object',
      required: ['op', 'path'],
      additionalProperties: false,
      properties: {
        op: { type: 'string', enum: ['add', 'remove', 'replace', 'move', 'copy', 'test'] },
        path: { type: 'string' },
        from: { type: 'string' },
        value: {},
      },
    },
  },
};

const common: Readonly<Record<string, JsonSchema>> = {
  description: { description: 'Words for readers.', type: 'string' },
  skip: { description: 'Why this is not run.', type: 'string', minLength: 1 },
  ...cluster,
  ...request,
  ...changes,
  kubernetesVersions: {
    description: 'Versions of Kubernetes with each of which the cases run; default the newest.',
    type: 'array',
    minItems: 1,
    items: { type: 'string' },
  },
  expect: { $ref: '#/definitions/expectation' },
  cases: {
    description:
      'Cases: they have what is said around them, unless they say something else; changes add up.',
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
    apiVersion: { description: 'May be left out.', type: 'string', const: 'kubeadmit.dev/v1' },
    kind: { description: 'May be left out.', type: 'string', const: 'Suite' },
    name: { description: 'Default the name of the file.', type: 'string', minLength: 1 },
    strict: {
      description: 'Whether policies that concern no case are errors; default true.',
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
          description: 'Default what is changed, or the object.',
          type: 'string',
          minLength: 1,
        },
        ...common,
      },
    },
    expectation: expectationSchema,
  },
};
