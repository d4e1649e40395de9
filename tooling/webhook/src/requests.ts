import {
  container,
  deploymentSpec,
  type Kind,
  kinds,
  team,
  type Variant,
} from './request-kinds.ts';
import type { Answer, ApiServer, Sent } from './server/api-server.ts';

/** A request that is sent in either of two namespaces. */
export interface Exchange {
  readonly name: string;
  send(server: ApiServer, namespace: string): Promise<Answer>;
}

/** Every request of the comparison in the order in which they are sent. */
export function exchanges(): readonly Exchange[] {
  return [
    ...kinds.flatMap((kind) => kind.variants.flatMap((variant) => lifeOf(kind, variant))),
    ...subresources(),
    ...collections(),
  ];
}

// Returns the requests in the life of an object, from creation to deletion, as an administrator and as a developer.
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
