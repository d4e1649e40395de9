import { type JsonObject, textOf } from '@kubeadmit/apimachinery';
import { memoize, setKey } from '@kubeadmit/base';
import {
  type Defaulters,
  type DefaultingContext,
  fill,
  fillEmpty,
  filling,
  fillingEmpty,
  isEmpty,
  items,
  pointer,
  struct,
} from './defaulting.ts';
import { isLatest } from './image.ts';
import { defaultPodResources } from './pod-resources.ts';

const container = (object: JsonObject): void => {
  if (isEmpty(object['imagePullPolicy'])) object['imagePullPolicy'] = pullPolicy(object['image']);
  fillEmpty(object, termination);
};

const termination = {
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
};

const protocol = fillingEmpty({ protocol: 'TCP' });
const defaultMode = filling({ defaultMode: 0o644 });
const rbd = fillingEmpty({ pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' });
const iscsi = fillingEmpty({ iscsiInterface: 'default' });
const scaleIo = fillingEmpty({ storageMode: 'ThinProvisioned', fsType: 'xfs' });

/** Defaults of the core group (kubernetes, `pkg/apis/core/v1/defaults.go` and the defaults marked on its fields). */
export const coreDefaults: Defaulters = {
  'core.v1.AzureDiskVolumeSource': filling({
    cachingMode: 'ReadWrite',
    fsType: 'ext4',
    readOnly: false,
    kind: 'Shared',
  }),
  'core.v1.ConfigMap': filling({ data: {} }),
  'core.v1.ConfigMapVolumeSource': defaultMode,
  'core.v1.Container': container,
  'core.v1.ContainerPort': protocol,
  'core.v1.DownwardAPIVolumeSource': defaultMode,
  'core.v1.EndpointPort': protocol,
  'core.v1.EphemeralContainer': container,
  'core.v1.FileKeySelector': filling({ optional: false }),
  'core.v1.GRPCAction': filling({ service: '' }),
  'core.v1.HTTPGetAction': fillingEmpty({ path: '/', scheme: 'HTTP' }),
  'core.v1.HostPathVolumeSource': filling({ type: '' }),
  'core.v1.ISCSIPersistentVolumeSource': iscsi,
  'core.v1.ISCSIVolumeSource': iscsi,
  'core.v1.LimitRangeItem': limitRangeItem,
  'core.v1.Namespace': namespace,
  'core.v1.NamespaceStatus': fillingEmpty({ phase: 'Active' }),
  'core.v1.NodeStatus': (status) => {
    if (status['capacity'] !== undefined) fill(status, { allocatable: status['capacity'] });
  },
  'core.v1.ObjectFieldSelector': fillingEmpty({ apiVersion: 'v1' }),
  'core.v1.PersistentVolume': (volume) => {
    fillEmpty(struct(volume, 'status'), { phase: 'Pending' });
    fillEmpty(struct(volume, 'spec'), { persistentVolumeReclaimPolicy: 'Retain' });
    fill(struct(volume, 'spec'), { volumeMode: 'Filesystem' });
  },
  'core.v1.PersistentVolumeClaim': (claim) => {
    fillEmpty(struct(claim, 'status'), { phase: 'Pending' });
  },
  'core.v1.PersistentVolumeClaimSpec': filling({ volumeMode: 'Filesystem' }),
  'core.v1.Pod': pod,
  'core.v1.PodSpec': podSpec,
  'core.v1.PodStatus': podStatus,
  'core.v1.PodTemplateSpec': (template, { minor }) => dropOldAnnotations(template, minor),
  'core.v1.Probe': fillingEmpty({
    timeoutSeconds: 1,
    periodSeconds: 10,
    successThreshold: 1,
    failureThreshold: 3,
  }),
  'core.v1.ProjectedVolumeSource': defaultMode,
  'core.v1.RBDPersistentVolumeSource': rbd,
  'core.v1.RBDVolumeSource': rbd,
  'core.v1.ReplicationController': replicationController,
  'core.v1.ReplicationControllerSpec': filling({ replicas: 1 }),
  'core.v1.ScaleIOPersistentVolumeSource': scaleIo,
  'core.v1.ScaleIOVolumeSource': scaleIo,
  'core.v1.Secret': fillingEmpty({ type: 'Opaque' }),
  'core.v1.SecretVolumeSource': defaultMode,
  'core.v1.Service': service,
  'core.v1.ServiceAccountTokenProjection': filling({ expirationSeconds: 3600 }),
  'core.v1.ServicePort': protocol,
  'core.v1.Volume': volume,
};

/** Clusters have few images for their many containers, and reading a reference takes longer than other defaults. */
const pullPolicyOf = memoize((image) => (isLatest(image) ? 'Always' : 'IfNotPresent'));

function pullPolicy(image: unknown): string {
  return pullPolicyOf(textOf(image));
}

function volume(object: JsonObject, { minor }: DefaultingContext): void {
  const isSourceless = Object.keys(object).every(
    (key) => key === 'name' || object[key] === undefined,
  );
  if (isSourceless) object['emptyDir'] = {};
  const image = pointer(object, 'image');
  if (image && minor >= 35) fillEmpty(image, { pullPolicy: pullPolicy(image['reference']) });
}

/** Requests, defaulted to limits: only in pods, not in templates. */
function defaultRequests(holder: JsonObject): void {
  const resources = struct(holder, 'resources');
  const limits = pointer(resources, 'limits');
  if (!limits) return;
  copyMissing(limits, struct(resources, 'requests'));
}

function copyMissing(from: JsonObject, to: JsonObject): void {
  for (const key of Object.keys(from)) {
    if (!Object.hasOwn(to, key)) setKey(to, key, from[key]);
  }
}

function pod(object: JsonObject, { minor }: DefaultingContext): void {
  dropOldAnnotations(object, minor);
  const spec = struct(object, 'spec');
  const grace = spec['terminationGracePeriodSeconds'];
  if (typeof grace === 'number' && grace < 0) spec['terminationGracePeriodSeconds'] = 1;
  const containers = [...items(spec, 'containers'), ...items(spec, 'initContainers')];
  for (const each of containers) defaultRequests(each);
  if (minor >= 34 && minor <= 36) defaultPodResources(spec);
  fill(spec, { enableServiceLinks: true });
  if (spec['hostNetwork'] !== true) return;
  for (const port of containers.flatMap((each) => items(each, 'ports'))) {
    if (isEmpty(port['hostPort'])) port['hostPort'] = port['containerPort'];
  }
}

const initContainerAnnotations: readonly string[] = ['beta', 'alpha'].flatMap((stage) => [
  `pod.${stage}.kubernetes.io/init-containers`,
  `pod.${stage}.kubernetes.io/init-container-statuses`,
]);

/** Servers before 1.37 take annotations away that once stood for init containers. */
function dropOldAnnotations(object: JsonObject, minor: number): void {
  const annotations = pointer(pointer(object, 'metadata'), 'annotations');
  if (!annotations || minor >= 37) return;
  for (const name of initContainerAnnotations) delete annotations[name];
}

function podSpec(spec: JsonObject): void {
  if (isEmpty(spec['serviceAccountName'])) spec['serviceAccountName'] = spec['serviceAccount'];
  spec['serviceAccount'] = spec['serviceAccountName'];
  fillEmpty(spec, {
    dnsPolicy: 'ClusterFirst',
    restartPolicy: 'Always',
    schedulerName: 'default-scheduler',
  });
  fill(spec, { securityContext: {}, terminationGracePeriodSeconds: 30 });
}

function podStatus(status: JsonObject): void {
  const ip = status['podIP'];
  const first = items(status, 'podIPs')[0];
  if (isEmpty(ip)) {
    if (first) status['podIP'] = first['ip'];
  } else if (first?.['ip'] !== ip) {
    status['podIPs'] = [{ ip }];
  }
}

function service(object: JsonObject): void {
  const spec = struct(object, 'spec');
  fillEmpty(spec, { sessionAffinity: 'None' });
  if (spec['sessionAffinity'] === 'None') delete spec['sessionAffinityConfig'];
  if (spec['sessionAffinity'] === 'ClientIP') {
    const clientIp = pointer(pointer(spec, 'sessionAffinityConfig'), 'clientIP');
    if (clientIp?.['timeoutSeconds'] === undefined) {
      spec['sessionAffinityConfig'] = { clientIP: { timeoutSeconds: 10800 } };
    }
  }
  fillEmpty(spec, { type: 'ClusterIP' });
  for (const port of items(spec, 'ports')) {
    fillEmpty(port, { protocol: 'TCP' });
    const target = port['port'] ?? 0;
    // Values shared with another object must not be written, not even with the same value.
    if (isEmpty(port['targetPort']) && port['targetPort'] !== target) port['targetPort'] = target;
  }
  const type = spec['type'];
  const balanced = type === 'LoadBalancer';
  const inner = balanced || type === 'NodePort' || type === 'ClusterIP';
  const outer = balanced || type === 'NodePort' || (inner && !isEmpty(spec['externalIPs']));
  if (outer) fillEmpty(spec, { externalTrafficPolicy: 'Cluster' });
  if (inner) fill(spec, { internalTrafficPolicy: 'Cluster' });
  if (!balanced) return;
  fill(spec, { allocateLoadBalancerNodePorts: true });
  const status = struct(struct(object, 'status'), 'loadBalancer');
  for (const ingress of items(status, 'ingress')) {
    if (!isEmpty(ingress['ip'])) fill(ingress, { ipMode: 'VIP' });
  }
}

function namespace(object: JsonObject): void {
  const metadata = pointer(object, 'metadata');
  if (!metadata || isEmpty(metadata['name'])) return;
  setKey(struct(metadata, 'labels'), 'kubernetes.io/metadata.name', metadata['name']);
}

function replicationController(object: JsonObject): void {
  const spec = struct(object, 'spec');
  const labels = pointer(pointer(pointer(spec, 'template'), 'metadata'), 'labels');
  if (!labels) return;
  fillEmpty(spec, { selector: labels });
  fillEmpty(struct(object, 'metadata'), { labels });
}

function limitRangeItem(item: JsonObject): void {
  if (item['type'] !== 'Container') return;
  const limit = struct(item, 'default');
  const request = struct(item, 'defaultRequest');
  copyMissing(pointer(item, 'max') ?? {}, limit);
  copyMissing(limit, request);
  copyMissing(pointer(item, 'min') ?? {}, request);
}
