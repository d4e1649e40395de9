import type { Answer, ApiServer, Sent } from './api-server.ts';
import type { JsonObject } from './json.ts';

/** A request that is sent in either of two namespaces. */
export interface Exchange {
  readonly name: string;
  send(server: ApiServer, namespace: string): Promise<Answer>;
}

interface Variant {
  readonly name: string;
  readonly metadata?: JsonObject;
  readonly fields?: JsonObject;
}

interface Kind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly resource: string;
  /** An object of the kind without its metadata. */
  readonly base: JsonObject;
  readonly variants: readonly Variant[];
  /** What an update changes. */
  readonly changed: JsonObject;
}

const team = { labels: { team: 'shop' } };
const annotated = (annotations: JsonObject): JsonObject => ({ ...team, annotations });
const container = (image: string, name = 'web'): JsonObject => ({ name, image });

const kinds: readonly Kind[] = [
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

function deploymentSpec(replicas: number, image: string): JsonObject {
  const labels = { app: 'web' };
  const template = { metadata: { labels }, spec: { containers: [container(image)] } };
  return { spec: { replicas, selector: { matchLabels: labels }, template } };
}

/** Every request of the comparison in the order in which they are sent. */
export function exchanges(): readonly Exchange[] {
  return [
    ...kinds.flatMap((kind) => kind.variants.flatMap((variant) => lifeOf(kind, variant))),
    ...subresources(),
    ...collections(),
  ];
}

// What happens to one object from its creation to its end, as an administrator and as a developer.
function lifeOf(kind: Kind, variant: Variant): readonly Exchange[] {
  const { apiVersion, resource, changed } = kind;
  const name = `${kind.kind.toLowerCase()}-${variant.name}`;
  const metadata = { name, ...variant.metadata };
  const object = { apiVersion, kind: kind.kind, ...kind.base, ...variant.fields, metadata };
  const at = (namespace: string): string =>
    `${root(apiVersion)}/namespaces/${namespace}/${resource}`;
  const of = (what: string, sent: (namespace: string) => Sent): Exchange => ({
    name: `${what} ${name}`,
    send: (server, namespace) => server.ask(sent(namespace)),
  });
  const patch = (contentType: string, body: unknown, query = ''): ((namespace: string) => Sent) => {
    return (namespace) => ({
      method: 'PATCH',
      path: `${at(namespace)}/${name}${query}`,
      body,
      contentType: `application/${contentType}`,
    });
  };
  const relabel = { metadata: { labels: { team: 'other' }, annotations: { noted: 'yes' } } };
  return [
    of('dry run of', (namespace) => ({
      method: 'POST',
      path: `${at(namespace)}?dryRun=All`,
      body: object,
      token: 'alice-token',
    })),
    of('create', (namespace) => ({
      method: 'POST',
      path: `${at(namespace)}?fieldManager=play`,
      body: object,
      token: 'alice-token',
    })),
    of('create again', (namespace) => ({ method: 'POST', path: at(namespace), body: object })),
    {
      name: `replace ${name}`,
      async send(server, namespace) {
        const path = `${at(namespace)}/${name}`;
        const { body } = await server.ask({ method: 'GET', path });
        return server.ask({ method: 'PUT', path, body: { ...body, ...changed } });
      },
    },
    of('merge into', patch('merge-patch+json', relabel)),
    of(
      'patch',
      patch('json-patch+json', [{ op: 'add', path: '/metadata/annotations/more', value: 'x' }]),
    ),
    of(
      'apply',
      patch(
        'apply-patch+yaml',
        { apiVersion, kind: kind.kind, ...relabel },
        '?fieldManager=applier&force=true',
      ),
    ),
    of('delete', (namespace) => ({ method: 'DELETE', path: `${at(namespace)}/${name}` })),
  ];
}

function subresources(): readonly Exchange[] {
  const pods = (namespace: string): string => `/api/v1/namespaces/${namespace}/pods`;
  const post = (name: string, path: (namespace: string) => string, body: unknown): Exchange => ({
    name,
    send: (server, namespace) => server.ask({ method: 'POST', path: path(namespace), body }),
  });
  const podNames = ['keep-me', 'leave-me'];
  const deployments = (namespace: string): string =>
    `/apis/apps/v1/namespaces/${namespace}/deployments`;
  return [
    ...podNames.map((name) =>
      post(`create pod ${name}`, pods, {
        metadata: { name, ...team },
        spec: { containers: [container('nginx:1.25')] },
      }),
    ),
    ...podNames.flatMap((name) =>
      ['sh', 'ls'].map((command) =>
        post(
          `exec ${command} in ${name}`,
          (namespace) => `${pods(namespace)}/${name}/exec?command=${command}&stdout=true`,
          undefined,
        ),
      ),
    ),
    ...podNames.map((name) =>
      post(`evict ${name}`, (namespace) => `${pods(namespace)}/${name}/eviction`, {
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        metadata: { name },
      }),
    ),
    post('create deployment scaled', deployments, {
      metadata: { name: 'scaled', ...team },
      ...deploymentSpec(1, 'nginx:1.25'),
    }),
    ...[2, 7, 9].map(
      (replicas): Exchange => ({
        name: `scale to ${replicas}`,
        send: (server, namespace) =>
          server.ask({
            method: 'PATCH',
            path: `${deployments(namespace)}/scaled/scale`,
            body: { spec: { replicas } },
            contentType: 'application/merge-patch+json',
          }),
      }),
    ),
    post(
      'create service account robot',
      (namespace) => `/api/v1/namespaces/${namespace}/serviceaccounts`,
      { metadata: { name: 'robot', ...team } },
    ),
    ...[600, 7200].map((expirationSeconds) =>
      post(
        `token for ${expirationSeconds} seconds`,
        (namespace) => `/api/v1/namespaces/${namespace}/serviceaccounts/robot/token`,
        { spec: { expirationSeconds, audiences: ['x'] } },
      ),
    ),
  ];
}

function collections(): readonly Exchange[] {
  const configMaps = (namespace: string): string => `/api/v1/namespaces/${namespace}/configmaps`;
  return [
    {
      name: 'create with a generated name',
      send: (server, namespace) =>
        server.ask({
          method: 'POST',
          path: `${configMaps(namespace)}?dryRun=All`,
          body: { metadata: { generateName: 'a-' }, data: { 'a-key-that-is-long': 'x' } },
        }),
    },
    {
      name: 'create one that is protected',
      send: (server, namespace) =>
        server.ask({
          method: 'POST',
          path: configMaps(namespace),
          body: {
            metadata: { name: 'collected', labels: { c: 'd' }, annotations: { protected: 'y' } },
          },
        }),
    },
    {
      name: 'delete a collection',
      send: (server, namespace) =>
        server.ask({ method: 'DELETE', path: `${configMaps(namespace)}?labelSelector=c%3Dd` }),
    },
  ];
}

function root(apiVersion: string): string {
  return apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}
