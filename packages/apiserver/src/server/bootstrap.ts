import { trackUpdate } from '@kubeadmit/admission/managed-fields';
import { type KubernetesObject, kindOfObject } from '@kubeadmit/apimachinery';
import { findResourceOfKind } from '@kubeadmit/schemas';
import { bootstrapPermissions } from '../authorization/bootstrap-roles.ts';
import { ApiError } from '../errors/api-error.ts';
import { endpointOf, keyOf } from '../kinds/endpoint.ts';
import type { Machinery } from '../machinery/machinery.ts';
import { metadataOf, nameOf, timeNow } from '../objects/metadata.ts';
import { createObject } from '../registry/create-object.ts';

const namespaces = ['kube-system', 'kube-public', 'default', 'kube-node-lease'];

const priorityClasses: readonly KubernetesObject[] = [
  { name: 'system-cluster-critical', value: 2_000_000_000 },
  { name: 'system-node-critical', value: 2_000_001_000 },
].map(({ name, value }) => ({
  kind: 'PriorityClass',
  apiVersion: 'scheduling.k8s.io/v1',
  metadata: { name },
  value,
  preemptionPolicy: 'PreemptLowerPriority',
}));

/**
 * The service by which pods reach the API (kubeapiserver `kubernetesservice` controller); nothing answers at its
 * address.
 */
function ownService(address: string | undefined): KubernetesObject {
  const port = Number(address?.slice(address.lastIndexOf(':') + 1)) || 6443;
  return {
    kind: 'Service',
    apiVersion: 'v1',
    metadata: {
      name: 'kubernetes',
      namespace: 'default',
      labels: { component: 'apiserver', provider: 'kubernetes' },
    },
    spec: {
      ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: port }],
      clusterIP: '10.0.0.1',
      clusterIPs: ['10.0.0.1'],
      type: 'ClusterIP',
      sessionAffinity: 'None',
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
      internalTrafficPolicy: 'Cluster',
    },
    status: { loadBalancer: {} },
  };
}

/**
 * Creates the missing objects that every new cluster has: namespaces, roles, priority classes, the service of the
 * API.
 */
export async function bootstrap(machinery: Machinery): Promise<void> {
  const objects: KubernetesObject[] = [
    ...namespaces.map((name) => ({
      kind: 'Namespace',
      apiVersion: 'v1',
      metadata: { name, labels: { 'kubernetes.io/metadata.name': name } },
    })),
    ...bootstrapPermissions(),
    ...priorityClasses,
    ownService(machinery.options.address),
  ];
  // All at once, so that a store on disk waits for the disk once.
  await Promise.all(objects.map((object) => ensure(machinery, object)));
}

async function ensure(machinery: Machinery, object: KubernetesObject): Promise<void> {
  const { schemas } = machinery.cluster;
  const kind = kindOfObject(object);
  const resource = kind && findResourceOfKind(schemas, kind);
  if (resource === undefined) return;
  const endpoint = endpointOf(schemas, resource);
  const namespace = metadataOf(object).namespace ?? '';
  const key = keyOf(endpoint, namespace, nameOf(object));
  if (await isThere(machinery, key)) return;
  const tracked = trackUpdate({}, object, {
    endpoint,
    schemas,
    manager: 'kube-apiserver',
    now: timeNow(machinery.options.clock),
  });
  try {
    await createObject(machinery, {
      endpoint,
      namespace,
      object: tracked,
      isDryRun: false,
      admit: async () => {},
      isOfServers: true,
    });
  } catch (error) {
    // Another server on the same store may have been quicker, which then has the address of the service, too.
    if (!(error instanceof ApiError) || !(await isThere(machinery, key))) throw error;
  }
}

// An object that another server has just created counts as written here, so that no request precedes it.
async function isThere({ registry }: Machinery, key: string): Promise<boolean> {
  const entry = await registry.store.get(key);
  if (entry === undefined) return false;
  registry.lastWrite = Math.max(registry.lastWrite, entry.revision);
  return true;
}
