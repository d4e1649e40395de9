import type { KubernetesObject } from '@kubeadmit/apimachinery';
import type { Random } from '@kubeadmit/random';
import { makeManifest } from '../manifests/manifests.ts';
import { type Fields, podSpec } from './pods.ts';
import {
  creation,
  metadataOf,
  type Requests,
  replacement,
  resourceOf,
  type Stage,
  storedOf,
  type WriteRequest,
  withMetadata,
  withSpec,
} from './write-request.ts';

/** Kinds of manifests that the other requests have, or that need a definition. */
const leftOut: ReadonlySet<string> = new Set(['Pod', 'Widget', 'Gadget', 'Event', 'Endpoints']);

/** Requests about kinds, subresources and forms of patches that the other requests do not have. */
export const moreRequests: Requests = [
  [14, manifest],
  [4, (stage) => generated(stage)],
  [4, (stage) => onWorkload(stage, scaled)],
  [4, (stage) => onWorkload(stage, rolledOut)],
  [4, (stage) => onWorkload(stage, patched)],
  [2, (stage) => scale(stage)],
  [2, (stage) => eviction(stage)],
  [2, (stage) => token(stage)],
  [3, (stage) => changedService(stage)],
  [2, (stage) => deletedObject(stage)],
  [2, (stage) => podStatus(stage)],
];

function manifest({ random, number, namespace }: Stage): WriteRequest | undefined {
  const { object, resource, namespaced } = makeManifest(random, number);
  const kind = String(object['kind']);
  if (leftOut.has(kind)) return undefined;
  const { apiVersion, kind: _, ...body } = object as Fields;
  const metadata = { ...(body['metadata'] as Fields), ...(namespaced ? { namespace } : {}) };
  return creation(namespaced ? namespace : undefined, String(apiVersion), resource, kind, {
    ...body,
    metadata,
  });
}

function generated({ random, namespace }: Stage): WriteRequest {
  return creation(namespace, 'v1', 'pods', 'Pod', {
    metadata: { generateName: 'made-', namespace, labels: { app: 'a', zone: 'z' } },
    spec: podSpec(random, richer(random)),
  });
}

/** Fields of pods that have defaults or that strategies change. */
function richer(random: Random): Fields {
  const term = { topologyKey: 'zone', labelSelector: {}, matchLabelKeys: ['app'] };
  return random.some({
    schedulingGates: [0.2, () => [{ name: 'example.com/gate' }]],
    hostAliases: [0.2, () => [{ ip: '10.0.0.1', hostnames: ['a'] }]],
    dnsConfig: [
      0.2,
      () => ({ nameservers: ['10.0.0.2'], options: [{ name: 'ndots', value: '1' }] }),
    ],
    readinessGates: [0.2, () => [{ conditionType: 'example.com/ready' }]],
    restartPolicy: [0.3, () => random.pick(['Never', 'OnFailure'])],
    shareProcessNamespace: [0.2, () => true],
    subdomain: [0.2, () => 'a'],
    affinity: [
      0.3,
      () => ({ podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } }),
    ],
    topologySpreadConstraints: [
      0.3,
      () => [
        {
          maxSkew: 1,
          topologyKey: 'zone',
          whenUnsatisfiable: 'ScheduleAnyway',
          labelSelector: { matchLabels: { app: 'a' } },
          matchLabelKeys: ['zone'],
        },
      ],
    ],
    resources: [0.3, () => ({ requests: { cpu: '3' }, limits: { memory: '9Gi' } })],
  });
}

const workloads: Readonly<Record<string, string>> = {
  Deployment: 'deployments',
  StatefulSet: 'statefulsets',
  ReplicaSet: 'replicasets',
  DaemonSet: 'daemonsets',
};

function onWorkload(
  stage: Stage,
  make: (object: KubernetesObject, resource: string, random: Random) => WriteRequest,
): WriteRequest | undefined {
  const kind = stage.random.pick(Object.keys(workloads));
  const object = storedOf(stage, kind);
  return object && make(object, workloads[kind] ?? '', stage.random);
}

function scaled(object: KubernetesObject, resource: string, random: Random): WriteRequest {
  const change = random.chance(0.5) ? { replicas: 5 } : { minReadySeconds: 7 };
  if (resource === 'daemonsets') return rolledOut(object, resource);
  return replacement(object, resource, (each) => withSpec(each, change));
}

function rolledOut(object: KubernetesObject, resource: string): WriteRequest {
  return replacement(object, resource, (each) => {
    const spec = each['spec'] as Fields;
    const template = spec['template'] as Fields;
    const podTemplate = template['spec'] as Fields;
    const containers = (podTemplate['containers'] as readonly Fields[]).map((container) => ({
      ...container,
      image: 'rolled:2',
    }));
    return withSpec(each, { template: { ...template, spec: { ...podTemplate, containers } } });
  });
}

function patched(object: KubernetesObject, resource: string, random: Random): WriteRequest {
  const { name = '', namespace } = metadataOf(object);
  const base = {
    verb: 'patch' as const,
    resource: resourceOf(String(object['apiVersion']), resource),
    ...(namespace === undefined ? {} : { namespace }),
    name,
    oldObject: object,
  };
  if (random.chance(0.5)) {
    const container = { name: 'c0', image: 'patched:3' };
    return {
      ...base,
      patch: { spec: { template: { spec: { containers: [container] } } } },
      patchType: 'application/strategic-merge-patch+json',
    };
  }
  return {
    ...base,
    patch: [{ op: 'add', path: '/metadata/annotations', value: { 'example.com/patched': 'yes' } }],
    patchType: 'application/json-patch+json',
  };
}

function scale(stage: Stage): WriteRequest | undefined {
  const object = storedOf(stage, 'Deployment');
  if (object === undefined) return undefined;
  const { name = '', namespace } = metadataOf(object);
  return {
    verb: 'patch',
    resource: resourceOf('apps/v1', 'deployments'),
    subresource: 'scale',
    ...(namespace === undefined ? {} : { namespace }),
    name,
    patch: { spec: { replicas: 4 } },
    patchType: 'application/merge-patch+json',
  };
}

function eviction(stage: Stage): WriteRequest | undefined {
  return aboutStored(stage, 'Pod', 'pods', 'eviction', (metadata) => ({
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata,
  }));
}

function token(stage: Stage): WriteRequest | undefined {
  return aboutStored(stage, 'ServiceAccount', 'serviceaccounts', 'token', () => ({
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { audiences: ['a'], expirationSeconds: 600 },
  }));
}

function aboutStored(
  stage: Stage,
  kind: string,
  resource: string,
  subresource: string,
  make: (metadata: Fields) => KubernetesObject,
): WriteRequest | undefined {
  const object = storedOf(stage, kind);
  if (object === undefined) return undefined;
  const { name = '', namespace } = metadataOf(object);
  return {
    verb: 'create',
    resource: resourceOf('v1', resource),
    subresource,
    ...(namespace === undefined ? {} : { namespace }),
    name,
    object: make({ name, namespace }),
  };
}

function changedService(stage: Stage): WriteRequest | undefined {
  const service = storedOf(stage, 'Service');
  return (
    service &&
    replacement(service, 'services', (each) =>
      stage.random.chance(0.5)
        ? withSpec(each, { type: stage.random.pick(['NodePort', 'LoadBalancer', 'ClusterIP']) })
        : withMetadata(each, { labels: { changed: 'yes' } }),
    )
  );
}

function deletedObject(stage: Stage): WriteRequest | undefined {
  const [kind, resource] = stage.random.pick([
    ['Service', 'v1/services'],
    ['Deployment', 'apps/v1/deployments'],
    ['PersistentVolumeClaim', 'v1/persistentvolumeclaims'],
    ['ResourceQuota', 'v1/resourcequotas'],
    ['LimitRange', 'v1/limitranges'],
  ] as const);
  const object = storedOf(stage, kind);
  if (object === undefined) return undefined;
  const { name = '', namespace } = metadataOf(object);
  return {
    verb: 'delete',
    resource: resourceOf(String(object['apiVersion']), resource.split('/').at(-1) ?? ''),
    ...(namespace === undefined ? {} : { namespace }),
    name,
    oldObject: object,
  };
}

function podStatus(stage: Stage): WriteRequest | undefined {
  const pod = storedOf(stage, 'Pod');
  return (
    pod &&
    replacement(
      pod,
      'pods',
      (each) => ({ ...each, status: { ...(each['status'] as Fields), phase: 'Running' } }),
      'status',
    )
  );
}
