import type { JsonObject } from './server/json.ts';

/** An object of a kind, characterised by the fields that policies read. */
export interface Variant {
  readonly name: string;
  readonly metadata?: JsonObject;
  readonly fields?: JsonObject;
}

/** A kind of which objects are sent. */
export interface Kind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly resource: string;
  /** An object of the kind without its metadata. */
  readonly base: JsonObject;
  readonly variants: readonly Variant[];
  /** The fields that an update changes. */
  readonly changed: JsonObject;
}

/** Metadata of most of them. */
export const team = { labels: { team: 'shop' } };
const annotated = (annotations: JsonObject): JsonObject => ({ ...team, annotations });
/** A container of a pod. */
export const container = (image: string, name = 'web'): JsonObject => ({ name, image });

/** The kinds of objects to send, in this order. */
export const kinds: readonly Kind[] = [
  {
    apiVersion: 'v1',
    kind: 'Pod',
    resource: 'pods',
    base: { spec: { containers: [container('nginx:1.25')] } },
    changed: { spec: { containers: [container('nginx:latest')] } },
    variants: [
      { name: 'plain' },
      { name: 'team', metadata: team },
      { name: 'latest', fields: { spec: { containers: [container('nginx:latest')] } } },
      {
        name: 'two-latest',
        metadata: team,
        fields: { spec: { containers: [container('a:latest', 'a'), container('b:latest', 'b')] } },
      },
      { name: 'sidecar', metadata: annotated({ sidecar: 'yes' }) },
      { name: 'keep', metadata: annotated({ protected: 'yes' }) },
      { name: 'break-path', metadata: annotated({ break: '/spec/nowhere/deep' }) },
      { name: 'break-type', metadata: annotated({ break: '/spec/containers' }) },
      { name: 'break-image', metadata: annotated({ break: '/spec/containers/0/image' }) },
    ],
  },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    resource: 'deployments',
    base: deploymentSpec(3, 'nginx:1.25'),
    changed: deploymentSpec(4, 'nginx:1.26'),
    variants: [
      { name: 'plain' },
      { name: 'team', metadata: team },
      { name: 'many', metadata: team, fields: deploymentSpec(6, 'nginx:1') },
      { name: 'latest', metadata: team, fields: deploymentSpec(1, 'nginx:latest') },
      { name: 'mutated', metadata: annotated({ mutate: 'yes' }), fields: deploymentSpec(9, 'a:1') },
      { name: 'tested', metadata: annotated({ mutate: 'test' }) },
      { name: 'broken', metadata: annotated({ break: '/spec/template/spec/dnsPolicyx' }) },
      { name: 'protected', metadata: annotated({ protected: 'yes' }) },
    ],
  },
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    resource: 'configmaps',
    base: { data: { key: 'value' } },
    changed: { data: { key: 'other', number: '0' } },
    variants: [
      { name: 'plain' },
      { name: 'team', metadata: team },
      { name: 'number', fields: { data: { number: '7' } } },
      { name: 'no-number', fields: { data: { number: 'seven' } } },
      { name: 'zero', fields: { data: { number: '0' } } },
      { name: 'long-key', fields: { data: { 'a-key-that-is-long': 'x' } } },
      { name: 'missing', fields: { data: { missing: 'y' } } },
      { name: 'empty', fields: { data: {} } },
      { name: 'mutated', metadata: annotated({ mutate: 'yes' }) },
      { name: 'protected', metadata: annotated({ protected: 'yes' }) },
      { name: 'binary', fields: { binaryData: { key2: 'AAEC' } } },
    ],
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    resource: 'services',
    base: { spec: { ports: [{ port: 80 }], clusterIP: 'None' } },
    changed: { spec: { ports: [{ port: 81 }], clusterIP: 'None' } },
    variants: [
      { name: 'plain' },
      { name: 'team', metadata: team },
      {
        name: 'no-parameter',
        metadata: {
          labels: { team: 'shop', parameter: 'missing' },
          annotations: { strict: 'yes' },
        },
      },
      { name: 'costly', metadata: annotated({ costly: 'yes' }) },
      { name: 'headless', fields: { spec: { clusterIP: 'None', selector: { a: 'b' } } } },
      { name: 'broken', metadata: annotated({ break: '/spec/unknown' }) },
      { name: 'broken-port', metadata: annotated({ break: '/spec/ports/0/port' }) },
    ],
  },
  {
    apiVersion: 'v1',
    kind: 'Secret',
    resource: 'secrets',
    base: { data: { token: 'c2VjcmV0' } },
    changed: { data: { token: 'b3RoZXI=' } },
    variants: [
      { name: 'plain' },
      { name: 'privileged', metadata: annotated({ privileged: 'yes' }) },
      { name: 'proxied', metadata: annotated({ proxied: 'yes' }) },
      { name: 'mutated', metadata: annotated({ mutate: 'yes' }) },
      { name: 'string', fields: { stringData: { a: 'b' } } },
    ],
  },
  {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    resource: 'serviceaccounts',
    base: {},
    changed: { automountServiceAccountToken: false },
    variants: [
      { name: 'plain' },
      { name: 'privileged', metadata: annotated({ privileged: 'yes' }) },
      { name: 'proxied', metadata: annotated({ proxied: 'yes' }) },
      { name: 'mutated', metadata: annotated({ mutate: 'yes' }) },
    ],
  },
  {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    resource: 'widgets',
    base: { spec: { size: 3 } },
    changed: { spec: { size: 2, parts: ['core'] } },
    variants: [
      { name: 'plain' },
      { name: 'large', fields: { spec: { size: 7 } } },
      { name: 'too-large', fields: { spec: { size: 12 } } },
      { name: 'no-core', fields: { spec: { size: 1, parts: ['shell'] } } },
      { name: 'no-parts', fields: { spec: { size: 1, parts: [] } } },
      { name: 'ratio', fields: { spec: { size: 1, ratio: 1.5 } } },
      { name: 'whole-ratio', fields: { spec: { size: 1, ratio: 2 } } },
      { name: 'null-ratio', fields: { spec: { size: 1, ratio: null } } },
      { name: 'unknown', fields: { spec: { size: 1, unknown: { a: 1 } } } },
      { name: 'protected', metadata: annotated({ protected: 'yes' }) },
    ],
  },
];

/** Returns the fields of a Deployment other than its metadata. */
export function deploymentSpec(replicas: number, image: string): JsonObject {
  const labels = { app: 'web' };
  const template = { metadata: { labels }, spec: { containers: [container(image)] } };
  return { spec: { replicas, selector: { matchLabels: labels }, template } };
}
