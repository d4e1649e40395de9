import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { creation, type WriteRequest } from '../write/write-request.ts';

/** A write of fields that servers of some versions drop. */
export interface GatedWrite {
  readonly id: string;
  readonly request: WriteRequest;
}

type Fields = Readonly<Record<string, unknown>>;

const namespace = 'gates';
const image = 'nginx';
const requests = { cpu: '1' };
const labels = { app: 'a' };
const port = 80;

/** A pod with fields of its specification, and of its container. */
function podSpec(spec: Fields, container: Fields = {}): Fields {
  return {
    containers: [{ name: 'c', image, ...container }],
    automountServiceAccountToken: false,
    ...spec,
  };
}

function pod(id: string, spec: Fields, container?: Fields): GatedWrite {
  const body = { metadata: { name: 'a' }, spec: podSpec(spec, container) };
  return { id: `gates: ${id}`, request: creation(namespace, 'v1', 'pods', 'Pod', body) };
}

function object(
  id: string,
  [apiVersion, resource, kind]: readonly [string, string, string],
  body: Fields,
  isNamespaced = true,
): GatedWrite {
  const place = isNamespaced ? namespace : undefined;
  const made = { metadata: { name: 'a' }, ...body };
  return { id: `gates: ${id}`, request: creation(place, apiVersion, resource, kind, made) };
}

function volume(source: Fields): Fields {
  return { volumes: [{ name: 'v', ...source }] };
}

function mounted(mount: Fields): Fields {
  return { volumeMounts: [{ name: 'v', mountPath: '/v', ...mount }] };
}

const items = [{ key: 'k', path: 'p', user: 5 }];
const term = { topologyKey: 'zone', labelSelector: { matchLabels: labels } };

const pods: readonly GatedWrite[] = [
  pod('a pod with its own user namespace', { hostUsers: false }),
  pod('a policy for supplemental groups', {
    securityContext: { supplementalGroupsPolicy: 'Strict' },
  }),
  pod('resources of a pod', { resources: { requests } }),
  pod(
    'an unmasked proc mount',
    { hostUsers: false },
    { securityContext: { procMount: 'Unmasked' } },
  ),
  pod('labels of affinity terms', {
    affinity: {
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [{ ...term, matchLabelKeys: ['team'] }],
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 1, podAffinityTerm: { ...term, mismatchLabelKeys: ['team'] } },
        ],
      },
    },
  }),
  pod(
    'claims for devices',
    { resourceClaims: [{ name: 'd', resourceClaimName: 'd' }] },
    { resources: { claims: [{ name: 'd' }] } },
  ),
  pod('a token source beside an item with a user', {
    ...volume({
      projected: { defaultUser: 7, sources: [{ configMap: { name: 'm', items } }] },
    }),
  }),
  pod(
    'a secret volume with a user',
    volume({ secret: { secretName: 's', defaultUser: 7, items } }),
  ),
  pod('a scheduling group', { schedulingGroup: { podGroupName: 'g' } }),
  pod('a workload reference', { workloadRef: { name: 'w', podGroup: 'g' } }),
  pod('a mode of gRPC probes', {}, { livenessProbe: { grpc: { port, mode: 'TLS' } } }),
  pod(
    'policies for resizing',
    {},
    { resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] },
  ),
  pod('a restart policy of a container', {}, { restartPolicy: 'Never' }),
  pod(
    'restart rules of a container',
    {},
    {
      restartPolicy: 'Never',
      restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'In', values: [42] } }],
    },
  ),
  pod('a sidecar', { initContainers: [{ name: 's', image, restartPolicy: 'Always' }] }),
  pod(
    'a mount that is read-only recursively',
    volume({ emptyDir: {} }),
    mounted({ readOnly: true, recursiveReadOnly: 'IfPossible' }),
  ),
  pod('a mode of an empty directory', volume({ emptyDir: { mode: 448 } }), mounted({})),
  pod(
    'options of a bind mount',
    volume({ emptyDir: {} }),
    mounted({ bindMountOptions: ['noexec'] }),
  ),
  pod('another hostname', { hostnameOverride: 'host.example.com' }),
  pod('a variable from a file', volume({ emptyDir: {} }), {
    env: [{ name: 'A', valueFrom: { fileKeyRef: { volumeName: 'v', path: 'p', key: 'A' } } }],
  }),
  pod(
    'an image volume beside another one',
    {
      volumes: [
        { name: 'v', image: { reference: 'r' } },
        { name: 'w', emptyDir: {} },
      ],
    },
    {
      volumeMounts: [
        { name: 'v', mountPath: '/v' },
        { name: 'w', mountPath: '/w' },
      ],
    },
  ),
  pod('an image volume alone', volume({ image: { reference: 'r' } }), mounted({})),
  pod('a policy for SELinux labels', {
    securityContext: { seLinuxChangePolicy: 'Recursive' },
  }),
  pod('a stop signal alone', { os: { name: 'linux' } }, { lifecycle: { stopSignal: 'SIGTERM' } }),
  pod(
    'a stop signal beside a hook',
    { os: { name: 'linux' } },
    { lifecycle: { stopSignal: 'SIGTERM', preStop: { exec: { command: ['a'] } } } },
  ),
  pod(
    'a protocol of probes and hooks',
    {},
    {
      readinessProbe: { httpGet: { port, protocol: 'HTTP2' } },
      lifecycle: { preStop: { httpGet: { port, protocol: 'HTTP2' } } },
    },
  ),
  pod('eviction responders', {
    evictionResponders: [{ name: 'r.example.com', priority: 1000 }],
  }),
];

const template = {
  metadata: { labels },
  spec: {
    containers: [{ name: 'c', image, lifecycle: { stopSignal: 'SIGTERM' } }],
    os: { name: 'linux' },
    hostUsers: false,
    hostnameOverride: 'host.example.com',
  },
};
const selector = { matchLabels: labels };
const jobTemplate = { ...template, spec: { ...template.spec, restartPolicy: 'Never' } };

const workloads: readonly GatedWrite[] = [
  object('a template of a deployment', ['apps/v1', 'deployments', 'Deployment'], {
    spec: { selector, template },
  }),
  object('a template of a cron job', ['batch/v1', 'cronjobs', 'CronJob'], {
    spec: { schedule: '* * * * *', jobTemplate: { spec: { template: jobTemplate } } },
  }),
  object('a template in a PodTemplate', ['v1', 'podtemplates', 'PodTemplate'], { template }),
  object('a job with a success policy', ['batch/v1', 'jobs', 'Job'], {
    spec: {
      completionMode: 'Indexed',
      completions: 2,
      parallelism: 2,
      successPolicy: { rules: [{ succeededCount: 1 }] },
      template: jobTemplate,
    },
  }),
  object('a job with another manager', ['batch/v1', 'jobs', 'Job'], {
    spec: { managedBy: 'example.com/jobs', template: jobTemplate },
  }),
  object('unavailable pods of a stateful set', ['apps/v1', 'statefulsets', 'StatefulSet'], {
    spec: {
      serviceName: 's',
      selector,
      template,
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 2 } },
    },
  }),
  object(
    'a tolerance of an autoscaler',
    ['autoscaling/v2', 'horizontalpodautoscalers', 'HorizontalPodAutoscaler'],
    {
      spec: {
        maxReplicas: 3,
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' },
        behavior: { scaleUp: { tolerance: '0.2' } },
      },
    },
  ),
];

const claim = ['v1', 'persistentvolumeclaims', 'PersistentVolumeClaim'] as const;
const storage = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const otherNamespace = { kind: 'PersistentVolumeClaim', name: 'b', namespace: 'other' };

const storageKinds: readonly GatedWrite[] = [
  object('a claim with attributes', claim, {
    spec: { ...storage, volumeAttributesClassName: 'gold' },
  }),
  object('a claim from another namespace', claim, {
    spec: { ...storage, dataSourceRef: otherNamespace },
  }),
  object('a claim from two sources', claim, {
    spec: {
      ...storage,
      dataSource: { kind: 'PersistentVolumeClaim', name: 'c' },
      dataSourceRef: otherNamespace,
    },
  }),
  object(
    'a volume with attributes',
    ['v1', 'persistentvolumes', 'PersistentVolume'],
    {
      spec: {
        accessModes: ['ReadWriteOnce'],
        capacity: { storage: '1Gi' },
        csi: { driver: 'd.example.com', volumeHandle: 'h' },
        volumeAttributesClassName: 'gold',
      },
    },
    false,
  ),
  object(
    'a driver of volumes',
    ['storage.k8s.io/v1', 'csidrivers', 'CSIDriver'],
    {
      spec: {
        nodeAllocatableUpdatePeriodSeconds: 20,
        preventPodSchedulingIfMissing: true,
      },
    },
    false,
  ),
];

const devices: readonly GatedWrite[] = [
  object(
    'a class of devices as a resource',
    ['resource.k8s.io/v1', 'deviceclasses', 'DeviceClass'],
    { spec: { extendedResourceName: 'example.com/gpu' } },
    false,
  ),
  object(
    'a claim for tolerated devices',
    ['resource.k8s.io/v1', 'resourceclaims', 'ResourceClaim'],
    {
      spec: {
        devices: {
          requests: [
            {
              name: 'r',
              exactly: {
                deviceClassName: 'gpu',
                tolerations: [{ key: 'k', operator: 'Exists' }],
                capacity: { requests: { memory: '1Gi' } },
              },
            },
          ],
        },
      },
    },
  ),
  object(
    'a slice of devices',
    ['resource.k8s.io/v1', 'resourceslices', 'ResourceSlice'],
    {
      spec: {
        driver: 'd.example.com',
        pool: { name: 'p', resourceSliceCount: 1 },
        nodeName: 'n',
        devices: [
          {
            name: 'd',
            allowMultipleAllocations: true,
            capacity: { memory: { value: '1Gi' } },
            attributes: { model: { string: 'm' } },
            taints: [{ key: 'k', effect: 'NoSchedule' }],
            bindsToNode: true,
            bindingConditions: ['ready'],
            bindingFailureConditions: ['failed'],
          },
        ],
      },
    },
    false,
  ),
];

const others: readonly GatedWrite[] = [
  object('a service with a distribution of traffic', ['v1', 'services', 'Service'], {
    spec: { selector: labels, ports: [{ port }], trafficDistribution: 'PreferClose' },
  }),
  object('a lease with a strategy', ['coordination.k8s.io/v1', 'leases', 'Lease'], {
    spec: { holderIdentity: 'h', strategy: 'OldestEmulationVersion', preferredHolder: 'p' },
  }),
  object('hints of endpoints', ['discovery.k8s.io/v1', 'endpointslices', 'EndpointSlice'], {
    addressType: 'IPv4',
    endpoints: [
      { addresses: ['10.0.0.1'], hints: { forNodes: [{ name: 'n' }], forZones: [{ name: 'z' }] } },
    ],
  }),
  object(
    'a node with its features',
    ['v1', 'nodes', 'Node'],
    {
      spec: { configSource: { configMap: { name: 'a', namespace: 'b', kubeletConfigKey: 'c' } } },
      status: {
        runtimeHandlers: [{ name: 'runc', features: { recursiveReadOnlyMounts: true } }],
        features: { supplementalGroupsPolicy: true },
        declaredFeatures: ['A'],
      },
    },
    false,
  ),
  object(
    'a definition with selectable fields',
    ['apiextensions.k8s.io/v1', 'customresourcedefinitions', 'CustomResourceDefinition'],
    {
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            selectableFields: [{ jsonPath: '.spec.color' }],
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: {
                  spec: { type: 'object', properties: { color: { type: 'string' } } },
                },
              },
            },
          },
        ],
      },
    },
    false,
  ),
];

/** Writes of every field that a server drops in some version. */
export const gatedWrites: readonly GatedWrite[] = [
  ...pods,
  ...workloads,
  ...storageKinds,
  ...devices,
  ...others,
];

/** The namespace of the writes. */
export const gatesNamespace: readonly KubernetesObject[] = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace } },
];
