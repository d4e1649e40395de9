import type { JsonObject } from '@kubeadmit/apimachinery';

/** A request of the grid: an object that is created, updated from another one, or deleted. */
export interface GridRequest {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
  readonly object?: JsonObject;
  readonly oldObject?: JsonObject;
  readonly user?: string;
}

const image = 'registry.example/web:1';
const pod = (metadata: JsonObject, spec: JsonObject): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'shop', ...metadata },
  spec: { containers: [{ name: 'c', image }], ...spec },
});

const bare = pod({ name: 'bare' }, {});
const full = pod(
  {
    name: 'full',
    labels: { team: 'a', x: 'q', task: 'one' },
    annotations: { k: 'v', n: '5' },
    finalizers: ['a.example/b'],
  },
  {
    hostNetwork: true,
    hostPID: true,
    serviceAccountName: 'builder',
    priority: 5,
    nodeSelector: { disk: 'ssd' },
    securityContext: { runAsUser: 0, runAsNonRoot: false },
    volumes: [
      { name: 'a', emptyDir: {} },
      { name: 'b', hostPath: { path: '/b' } },
    ],
    tolerations: [{ key: 'a', operator: 'Exists' }, { operator: 'Exists' }],
    initContainers: [{ name: 'i', image: 'a' }],
    imagePullSecrets: [{ name: 'a' }],
    containers: [
      {
        name: 'c',
        image,
        securityContext: { privileged: true, capabilities: { add: ['a', 'NET_ADMIN'] } },
        resources: { limits: { cpu: '1', memory: '1Gi' } },
        ports: [{ containerPort: 1, hostPort: 80 }],
        env: [{ name: 'A', value: 'a' }],
      },
      { name: 'd', image: 'a', imagePullPolicy: 'IfNotPresent' },
    ],
  },
);
const middle = pod(
  { name: 'middle', labels: { team: '', task: 'two' }, annotations: {} },
  {
    hostNetwork: false,
    securityContext: {},
    volumes: [{ name: 'x1', emptyDir: {} }],
    tolerations: [{ key: 'x2', operator: 'Exists' }],
    containers: [
      {
        name: 'c',
        image: 'x:1',
        securityContext: { privileged: false },
        resources: { limits: { cpu: '500m' } },
        ports: [{ containerPort: 1 }],
      },
    ],
  },
);
const other = pod(
  { name: 'other', labels: { team: 'b', tier: 'gold' }, annotations: { k: '10m', n: '-1' } },
  {
    priority: 0,
    nodeSelector: { disk: '' },
    securityContext: { runAsUser: 1000, runAsNonRoot: true },
    volumes: [],
    initContainers: [
      { name: 'i', image: 'proxy.example/i:1' },
      { name: 'a', image: 'b:latest', securityContext: { privileged: true } },
    ],
    containers: [
      { name: 'a', image: 'a:latest', imagePullPolicy: 'Never' },
      { name: 'b', image: 'proxy.example/web', securityContext: { privileged: false } },
      { name: 'c', image: 'b' },
    ],
  },
);
const wild = pod(
  { name: 'wild', namespace: 'prod', labels: { team: 'true', a: '5' }, annotations: { k: '*' } },
  {
    hostNetwork: true,
    priority: 100,
    securityContext: { runAsNonRoot: true },
    containers: [{ name: 'b', image: 'b:1', securityContext: { privileged: true } }],
  },
);
// Strings that are syntax to a program that writes values into a document or an expression.
const quotes = pod(
  { name: 'quotes', annotations: { k: `it's "so"`, n: 'a\\b' } },
  {
    nodeSelector: { disk: 'ssd' },
    containers: [
      { name: 'c', image, args: ['"', '\\'], env: [{ name: 'A', value: `say "it's"\nagain` }] },
    ],
  },
);
const braces = pod(
  { name: 'braces', annotations: { k: '{{ request.object.metadata.name }}', n: '{{ a }}' } },
  { containers: [{ name: 'c', image, env: [{ name: 'A', value: '{{}}' }] }] },
);

const pods = [bare, full, middle, other, wild, quotes, braces];

/** Requests about pods. */
export const podRequests: readonly GridRequest[] = [
  ...pods.map((object) => ({ operation: 'CREATE', object }) as const),
  ...[
    [bare, full],
    [full, middle],
    [other, bare],
    [middle, middle],
  ].map(([oldObject, object]) => {
    const { metadata } = oldObject as { metadata: JsonObject };
    const { name, namespace } = metadata;
    const own = (object?.['metadata'] ?? {}) as JsonObject;
    return {
      operation: 'UPDATE',
      oldObject: oldObject as JsonObject,
      object: { ...object, metadata: { ...own, name, namespace } },
    } as const;
  }),
  ...[full, bare].map((oldObject) => ({ operation: 'DELETE', oldObject }) as const),
  { operation: 'CREATE', object: full, user: 'admin' },
];

const template = ({ metadata, spec }: JsonObject): JsonObject => {
  const { labels, annotations } = metadata as JsonObject;
  return {
    metadata: {
      labels: { ...(labels as JsonObject | undefined), app: 'grid' },
      ...(annotations === undefined ? {} : { annotations }),
    },
    spec,
  };
};
const placed = ({ metadata }: JsonObject): JsonObject => {
  const { name, namespace } = metadata as JsonObject;
  return { name, namespace };
};
const deployments = pods.map((object) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: placed(object),
  spec: { selector: { matchLabels: { app: 'grid' } }, template: template(object) },
}));
const cronJobs = pods.map((object) => {
  const own = template(object);
  const spec = { ...(own['spec'] as JsonObject), restartPolicy: 'Never' };
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: placed(object),
    spec: { schedule: '0 0 * * *', jobTemplate: { spec: { template: { ...own, spec } } } },
  };
});

/** Requests about pods and about controllers of pods. */
export const controllerRequests: readonly GridRequest[] = [
  ...[...deployments, ...cronJobs, ...pods].map(
    (object) => ({ operation: 'CREATE', object }) as const,
  ),
  ...[
    [0, 1],
    [1, 2],
    [2, 2],
  ].map(([before = 0, after = 0]) => {
    const oldObject = deployments[before] as JsonObject;
    const metadata = oldObject['metadata'];
    return { operation: 'UPDATE', oldObject, object: { ...deployments[after], metadata } } as const;
  }),
];

/** Requests about ConfigMaps, whose fields are simple. */
export const mapRequests: readonly GridRequest[] = [
  { name: 'bare' },
  { name: 'full', labels: { team: 'a', x: 'y' }, annotations: { k: 'v' } },
  { name: 'empty', labels: { team: '' } },
  { name: 'prod', namespace: 'prod', labels: { team: 'b', a: 'x' }, annotations: { a: 'b' } },
].map((metadata) => ({
  operation: 'CREATE',
  object: {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: 'shop', ...metadata },
    ...(metadata.name === 'bare' ? {} : { data: { a: 'a', n: '5' } }),
  },
}));

/** Objects that the cluster of the grid holds. */
export const clusterObjects: readonly JsonObject[] = [
  { name: 'shop', labels: { type: 'tenant', env: 'dev' } },
  { name: 'prod', labels: { type: 'system' } },
].map((metadata) => ({ apiVersion: 'v1', kind: 'Namespace', metadata }));
