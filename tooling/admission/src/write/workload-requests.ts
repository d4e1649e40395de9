import type { Random } from '@kubeadmit/random';
import { type Fields, names, podSpec } from './pods.ts';
import { creation, type Requests, type Stage, type WriteRequest } from './write-request.ts';

/** Requests that create namespaced objects other than pods. */
export const workloadRequests: Requests = [
  [4, (stage) => workload(stage, 'apps/v1', 'deployments', 'Deployment')],
  [2, (stage) => workload(stage, 'apps/v1', 'replicasets', 'ReplicaSet')],
  [2, (stage) => workload(stage, 'apps/v1', 'statefulsets', 'StatefulSet', { serviceName: 'a' })],
  [2, (stage) => workload(stage, 'apps/v1', 'daemonsets', 'DaemonSet')],
  [
    2,
    (stage) =>
      inside(stage, 'batch/v1', 'jobs', 'Job', {
        spec: {
          template: template(stage.random, { restartPolicy: 'Never' }),
          ...stage.random.some({ suspend: [0.3, () => true], parallelism: [0.3, () => 2] }),
        },
      }),
  ],
  [
    1,
    (stage) =>
      inside(stage, 'batch/v1', 'cronjobs', 'CronJob', {
        spec: {
          schedule: '*/5 * * * *',
          jobTemplate: {
            spec: { template: template(stage.random, { restartPolicy: 'OnFailure' }) },
          },
        },
      }),
  ],
  [
    1,
    (stage) =>
      inside(stage, 'v1', 'replicationcontrollers', 'ReplicationController', {
        spec: {
          ...stage.random.some({ replicas: [0.5, () => 2] }),
          template: template(stage.random),
        },
      }),
  ],
  [
    1,
    (stage) =>
      inside(stage, 'v1', 'podtemplates', 'PodTemplate', { template: template(stage.random) }),
  ],
  [
    6,
    (stage) =>
      inside(stage, 'v1', 'persistentvolumeclaims', 'PersistentVolumeClaim', {
        spec: claimSpec(stage.random),
      }),
  ],
  [5, (stage) => inside(stage, 'v1', 'services', 'Service', { spec: serviceSpec(stage.random) })],
  [
    4,
    (stage) =>
      inside(stage, 'networking.k8s.io/v1', 'ingresses', 'Ingress', ingressBody(stage.random)),
  ],
  [3, (stage) => inside(stage, 'v1', 'configmaps', 'ConfigMap', { data: { a: 'b' } })],
  [1, (stage) => inside(stage, 'v1', 'secrets', 'Secret', { stringData: { a: 'b' } })],
  [1, (stage) => inside(stage, 'v1', 'serviceaccounts', 'ServiceAccount', {})],
  [
    1,
    (stage) =>
      inside(stage, 'v1', 'limitranges', 'LimitRange', {
        spec: { limits: [{ type: 'Container', default: { cpu: '1' }, max: { memory: '1Gi' } }] },
      }),
  ],
  [
    1,
    (stage) =>
      inside(stage, 'v1', 'resourcequotas', 'ResourceQuota', {
        spec: { hard: { pods: '9', 'requests.cpu': '4' } },
      }),
  ],
  [
    1,
    ({ number }) =>
      creation('nowhere', 'v1', 'configmaps', 'ConfigMap', {
        metadata: { name: `lost-${number}`, namespace: 'nowhere' },
      }),
  ],
];

function inside(
  { namespace, number }: Stage,
  apiVersion: string,
  resource: string,
  kind: string,
  body: Fields,
): WriteRequest {
  const metadata = { name: `${kind.toLowerCase()}-${number}`, namespace };
  return creation(namespace, apiVersion, resource, kind, { metadata, ...body });
}

function template(random: Random, extra: Fields = {}): Fields {
  return { metadata: { labels: { app: 'a' } }, spec: templateSpec(random, extra) };
}

/** Fields of pods that the templates of some workloads may not have are left out. */
function templateSpec(random: Random, extra: Fields): Fields {
  const { activeDeadlineSeconds: _, ...spec } = podSpec(random, extra);
  return spec;
}

function workload(
  stage: Stage,
  apiVersion: string,
  resource: string,
  kind: string,
  extra: Fields = {},
): WriteRequest {
  const { random } = stage;
  return inside(stage, apiVersion, resource, kind, {
    spec: {
      selector: { matchLabels: { app: 'a' } },
      template: template(random),
      ...(kind === 'DaemonSet' ? {} : random.some({ replicas: [0.5, () => random.below(4)] })),
      ...extra,
    },
  });
}

function claimSpec(random: Random): Fields {
  return {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: random.pick(['500Mi', '1Gi', '4Gi', '20Gi']) } },
    ...random.some({
      storageClassName: [0.45, () => random.pick([...names.storageClasses, ''])],
      volumeMode: [0.2, () => 'Filesystem'],
      selector: [0.1, () => ({ matchLabels: { a: 'b' } })],
    }),
  };
}

function serviceSpec(random: Random): Fields {
  const type = random.pick([undefined, 'ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName']);
  if (type === 'ExternalName') return { type, externalName: 'example.com' };
  return {
    ...(type === undefined ? {} : { type }),
    ports: [{ port: 80, ...random.some({ targetPort: [0.5, () => 'http'] }) }],
    ...random.some({
      selector: [0.7, () => ({ app: 'a' })],
      sessionAffinity: [0.2, () => 'ClientIP'],
      ...(type === 'LoadBalancer' ? { allocateLoadBalancerNodePorts: [0.4, () => false] } : {}),
      ...(type === undefined || type === 'ClusterIP' ? { clusterIP: [0.3, () => 'None'] } : {}),
    }),
  };
}

function ingressBody(random: Random): Fields {
  const annotations = random.chance(0.15) ? { 'kubernetes.io/ingress.class': 'nginx' } : undefined;
  return {
    ...(annotations && { metadata: { name: `ingress-${random.below(1e6)}`, annotations } }),
    spec: {
      defaultBackend: { service: { name: 'a', port: { number: 80 } } },
      ...(annotations === undefined
        ? random.some({ ingressClassName: [0.3, () => random.pick(names.ingressClasses)] })
        : {}),
    },
  };
}
