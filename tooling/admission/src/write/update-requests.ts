import type { KubernetesObject } from '@kubeadmit/apimachinery';
import type { Random } from '@kubeadmit/random';
import { certificateData } from '../manifests/certificates.ts';
import type { Fields } from './pods.ts';
import { securityLabels } from './world.ts';
import {
  type MakeRequest,
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

/** Requests about stored objects: updates, patches, subresources and deletions. */
export const updateRequests: Requests = [
  [
    3,
    onStored('Pod', (pod, { random }) =>
      replacement(pod, 'pods', (object) => changedPod(random, object)),
    ),
  ],
  [
    2,
    onStored('Pod', (pod, { random }) =>
      replacement(pod, 'pods', (object) => resized(random, object), 'resize'),
    ),
  ],
  [
    2,
    onStored('Pod', (pod, { random }) =>
      replacement(pod, 'pods', (object) => debugged(random, object), 'ephemeralcontainers'),
    ),
  ],
  [
    1,
    onStored('Pod', (pod, { random }) =>
      patched(pod, 'pods', { metadata: { labels: { team: random.pick(['a', 'b']) } } }),
    ),
  ],
  [1, onStored('Pod', (pod) => deletion(pod, 'pods'))],
  [1, onStored('Pod', binding)],
  [
    3,
    onStored('Namespace', (namespace, { random }) =>
      replacement(namespace, 'namespaces', (object) =>
        withMetadata(object, {
          labels: {
            'kubernetes.io/metadata.name': metadataOf(object).name,
            ...securityLabels(random),
            ...(random.chance(0.1) && { 'pod-security.kubernetes.io/enforce': 'wrong' }),
          },
        }),
      ),
    ),
  ],
  [
    2,
    onStored('Namespace', (namespace, { random }) =>
      patched(namespace, 'namespaces', { metadata: { labels: strictLabels(random) } }),
    ),
  ],
  [
    2,
    onStored('PersistentVolumeClaim', (claim, { random }) =>
      replacement(claim, 'persistentvolumeclaims', (object) =>
        random.chance(0.7)
          ? withSpec(object, { resources: { requests: { storage: random.pick(['3Gi', '8Gi']) } } })
          : withMetadata(object, { annotations: { a: 'b' } }),
      ),
    ),
  ],
  [
    1,
    onStored('PriorityClass', (priority, { random }) =>
      replacement(priority, 'priorityclasses', (object) => ({
        ...object,
        globalDefault: random.chance(0.5),
      })),
    ),
  ],
  [1, onStored('PriorityClass', (priority) => deletion(priority, 'priorityclasses'))],
  [
    1,
    onStored('ServiceAccount', (account) =>
      patched(account, 'serviceaccounts', { metadata: { labels: { a: 'b' } } }),
    ),
  ],
  [1, onStored('Node', (node) => patched(node, 'nodes', { spec: { unschedulable: true } }))],
  [
    1,
    onStored('ResourceQuota', (quota) =>
      replacement(quota, 'resourcequotas', (object) =>
        withMetadata(object, { annotations: { a: 'b' } }),
      ),
    ),
  ],
  [
    2,
    onStored('CertificateSigningRequest', (request) =>
      replacement(request, 'certificatesigningrequests', approved, 'approval'),
    ),
  ],
  [
    1,
    onStored('CertificateSigningRequest', (request) =>
      replacement(request, 'certificatesigningrequests', signed, 'status'),
    ),
  ],
  [1, ({ random }) => systemNamespaceDeletion(random)],
];

function onStored(
  kind: string,
  make: (object: KubernetesObject, stage: Stage) => WriteRequest,
): MakeRequest {
  return (stage) => {
    const object = storedOf(stage, kind);
    return object === undefined ? undefined : make(object, stage);
  };
}

function changedPod(random: Random, pod: KubernetesObject): KubernetesObject {
  if (random.chance(0.5)) return withMetadata(pod, { labels: { changed: 'yes' } });
  const { containers } = pod['spec'] as { readonly containers: readonly Fields[] };
  return withSpec(pod, { containers: containers.map((each) => ({ ...each, image: 'changed:1' })) });
}

function resized(random: Random, pod: KubernetesObject): KubernetesObject {
  const { containers } = pod['spec'] as { readonly containers: readonly Fields[] };
  const cpu = random.pick(['100m', '1', '4']);
  return withSpec(pod, {
    containers: containers.map((each) => ({
      ...each,
      resources: { limits: { cpu, memory: '1Gi' }, requests: { cpu, memory: '1Gi' } },
    })),
  });
}

function debugged(random: Random, pod: KubernetesObject): KubernetesObject {
  const container = {
    name: 'debugger',
    image: 'busybox',
    ...random.some({
      securityContext: [
        0.5,
        () => random.pick([{ privileged: true }, { allowPrivilegeEscalation: false }]),
      ],
    }),
  };
  return withSpec(pod, { ephemeralContainers: [container] });
}

function patched(object: KubernetesObject, resource: string, patch: Fields): WriteRequest {
  const { name = '', namespace } = metadataOf(object);
  return {
    verb: 'patch',
    resource: resourceOf(String(object['apiVersion']), resource),
    ...(namespace === undefined ? {} : { namespace }),
    name,
    oldObject: object,
    patch,
    patchType: 'application/merge-patch+json',
  };
}

function deletion(object: KubernetesObject, resource: string): WriteRequest {
  const { name = '', namespace } = metadataOf(object);
  return {
    verb: 'delete',
    resource: resourceOf(String(object['apiVersion']), resource),
    ...(namespace === undefined ? {} : { namespace }),
    name,
    oldObject: object,
  };
}

function binding(pod: KubernetesObject, { random }: Stage): WriteRequest {
  const { name = '', namespace } = metadataOf(pod);
  return {
    verb: 'create',
    resource: resourceOf('v1', 'pods'),
    subresource: 'binding',
    ...(namespace === undefined ? {} : { namespace }),
    name,
    object: {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name, ...(namespace && { namespace }) },
      target: { kind: 'Node', name: random.pick(['node-a', 'node-b']) },
    },
  };
}

function approved(request: KubernetesObject): KubernetesObject {
  const condition = { type: 'Approved', status: 'True', reason: 'Manual', message: 'fine' };
  return { ...request, status: { conditions: [condition] } };
}

function signed(request: KubernetesObject): KubernetesObject {
  const certificate = Buffer.from(certificateData.authority).toString('base64');
  return { ...request, status: { certificate } };
}

function strictLabels(random: Random): Fields {
  return {
    'pod-security.kubernetes.io/enforce': random.pick(['baseline', 'restricted']),
    ...random.some({
      'pod-security.kubernetes.io/enforce-version': [
        0.5,
        () => random.pick(['v1.20', 'latest', 'v1.34']),
      ],
    }),
  };
}

function systemNamespaceDeletion(random: Random): WriteRequest {
  return {
    verb: 'delete',
    resource: resourceOf('v1', 'namespaces'),
    name: random.pick(['default', 'kube-system', 'kube-public', 'kube-node-lease']),
  };
}
