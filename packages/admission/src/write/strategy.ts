import { type KubernetesObject, member } from '@kubeadmit/apimachinery';
import { isFeatureOn } from '../versions/feature-gates.data.ts';
import { metadataOf, nameOf } from './metadata.ts';

/** The differences between resources in how they are written (registry/rest strategies). */
export interface Strategy {
  /** Whether `metadata.generation` counts changes. */
  readonly hasGeneration: boolean;
  /** Whether updates that change the desired state increment `metadata.generation`. */
  readonly countsUpdates: boolean;
  /** Whether a PUT creates a missing object. */
  readonly createsOnUpdate: boolean;
  /** Whether a PUT may omit the resource version. */
  readonly updatesUnconditionally: boolean;
  /** The fields that selectors may name in addition to the name and namespace. */
  readonly selectableFields: readonly string[];
  /** The member that a main-resource write leaves alone; absent where there is no `status` subresource. */
  readonly resetsStatus: boolean;
}

/** Resources that are in both of the next two sets. */
const guardedAndCounted: readonly string[] = [
  'mutatingwebhookconfigurations.admissionregistration.k8s.io',
  'validatingwebhookconfigurations.admissionregistration.k8s.io',
  'mutatingadmissionpolicies.admissionregistration.k8s.io',
  'mutatingadmissionpolicybindings.admissionregistration.k8s.io',
  'validatingadmissionpolicies.admissionregistration.k8s.io',
  'validatingadmissionpolicybindings.admissionregistration.k8s.io',
  'customresourcedefinitions.apiextensions.k8s.io',
];

/** Resources whose objects count generations. */
const counted: ReadonlySet<string> = new Set([
  'daemonsets.apps',
  'deployments.apps',
  'replicasets.apps',
  'statefulsets.apps',
  'replicationcontrollers',
  'pods',
  'podtemplates',
  'cronjobs.batch',
  'jobs.batch',
  'poddisruptionbudgets.policy',
  'ingresses.networking.k8s.io',
  'ingressclasses.networking.k8s.io',
  'networkpolicies.networking.k8s.io',
  'flowschemas.flowcontrol.apiserver.k8s.io',
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io',
  'priorityclasses.scheduling.k8s.io',
  ...guardedAndCounted,
  'endpointslices.discovery.k8s.io',
  'deviceclasses.resource.k8s.io',
  'devicetaintrules.resource.k8s.io',
  'resourceslices.resource.k8s.io',
  'horizontalpodautoscalers.autoscaling',
]);

/** Resources that a PUT without a resource version does not change. */
const guarded: ReadonlySet<string> = new Set([
  ...guardedAndCounted,
  'apiservices.apiregistration.k8s.io',
  'leases.coordination.k8s.io',
  'poddisruptionbudgets.policy',
  'csidrivers.storage.k8s.io',
  'csinodes.storage.k8s.io',
  'csistoragecapacities.storage.k8s.io',
  'volumeattachments.storage.k8s.io',
  'runtimeclasses.node.k8s.io',
  'clustertrustbundles.certificates.k8s.io',
  'podcertificaterequests.certificates.k8s.io',
  'devicetaintrules.resource.k8s.io',
  'storageversionmigrations.storagemigration.k8s.io',
]);

/** Resources that a PUT creates. */
const createdOnUpdate: ReadonlySet<string> = new Set([
  'clusterroles.rbac.authorization.k8s.io',
  'clusterrolebindings.rbac.authorization.k8s.io',
  'roles.rbac.authorization.k8s.io',
  'rolebindings.rbac.authorization.k8s.io',
  'leases.coordination.k8s.io',
  'events',
  'events.events.k8s.io',
  'endpoints',
  'services',
  'limitranges',
  'runtimeclasses.node.k8s.io',
]);

/** Selectable fields other than `metadata.name` and `metadata.namespace`. */
const selectable: Readonly<Record<string, readonly string[]>> = {
  pods: [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'spec.hostNetwork',
    'status.phase',
    'status.podIP',
    'status.nominatedNodeName',
  ],
  namespaces: ['status.phase'],
  secrets: ['type'],
  nodes: ['spec.unschedulable'],
  services: ['spec.clusterIP', 'spec.type'],
  replicationcontrollers: ['status.replicas'],
  'jobs.batch': ['status.successful'],
  events: [
    'involvedObject.kind',
    'involvedObject.namespace',
    'involvedObject.name',
    'involvedObject.uid',
    'involvedObject.apiVersion',
    'involvedObject.resourceVersion',
    'involvedObject.fieldPath',
    'reason',
    'reportingComponent',
    'source',
    'type',
  ],
  'certificatesigningrequests.certificates.k8s.io': ['spec.signerName'],
};

/** How a built-in resource is written in a minor version, by its qualified name such as `deployments.apps`. */
export function builtinStrategy(qualified: string, hasStatus: boolean, minor: number): Strategy {
  const hasGeneration = counted.has(qualified) && countsGenerations(qualified, minor);
  return {
    hasGeneration,
    countsUpdates: countsUpdates[qualified] ?? hasGeneration,
    createsOnUpdate: createdOnUpdate.has(qualified),
    updatesUnconditionally: !guarded.has(qualified),
    selectableFields: selectable[qualified] ?? [],
    resetsStatus: hasStatus && resetsStatus(qualified, minor),
  };
}

/** Resources of which only the first generation is set, or only updates count. */
const countsUpdates: Readonly<Record<string, boolean>> = {
  'priorityclasses.scheduling.k8s.io': false,
  'csidrivers.storage.k8s.io': true,
};

/** The first minor version in which pods count generations. */
const podGenerationsSince = 33;

function countsGenerations(qualified: string, minor: number): boolean {
  if (qualified === 'pods') return minor >= podGenerationsSince;
  if (qualified === 'horizontalpodautoscalers.autoscaling')
    return isFeatureOn('HPAGeneration', minor);
  return true;
}

function resetsStatus(qualified: string, minor: number): boolean {
  return (
    qualified !== 'servicecidrs.networking.k8s.io' ||
    isFeatureOn('ServiceCIDRStatusFieldWiping', minor)
  );
}

/** How custom resources are written (apiextensions customresource strategy). */
export function customStrategy(hasStatus: boolean, selectableFields: readonly string[]): Strategy {
  return {
    hasGeneration: true,
    countsUpdates: true,
    createsOnUpdate: false,
    updatesUnconditionally: false,
    selectableFields,
    resetsStatus: hasStatus,
  };
}

/** The values of the fields that a selector may name; the others are empty. */
export function fieldValues(
  object: KubernetesObject,
  { selectableFields }: Strategy,
): Readonly<Record<string, string>> {
  const values: Record<string, string> = {
    'metadata.name': nameOf(object),
    'metadata.namespace': metadataOf(object).namespace ?? '',
  };
  for (const path of selectableFields) values[path] = fieldText(object, path);
  return values;
}

function fieldText(object: KubernetesObject, path: string): string {
  const value = memberAt(object, ...path.split('.'));
  if (value === undefined || value === null) return defaults[path] ?? '';
  return typeof value === 'object' ? String(member(value, 'component') ?? '') : String(value);
}

const defaults: Readonly<Record<string, string>> = {
  'spec.hostNetwork': 'false',
  'spec.unschedulable': 'false',
  'status.replicas': '0',
  'status.successful': '0',
};

/** The value at a path of members; undefined if it is missing. */
export function memberAt(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((own, name) => member(own, name), value);
}
