import type { KubernetesObject } from '@kubeadmit/apimachinery';
import type { Random } from '@kubeadmit/random';
import { certificateData, certificates } from '../manifests/certificates.ts';
import { type Fields, names, podSpec } from './pods.ts';
import { makePolicies } from './write-policies.ts';

/** The objects that a server holds while it answers requests. */
export interface World {
  /** Objects outside namespaces, in the order in which they are created. */
  readonly cluster: readonly KubernetesObject[];
  readonly namespaces: readonly WorldNamespace[];
}

/** A namespace with its objects. */
export interface WorldNamespace {
  readonly name: string;
  /** The labels of the namespace, which act on pods; set after `objects` are stored. */
  readonly labels: Readonly<Record<string, string>>;
  /** Objects that are stored before anything limits them. */
  readonly objects: readonly KubernetesObject[];
  /** LimitRanges and quotas, stored last; a quota has a `status`. */
  readonly limits: readonly KubernetesObject[];
}

/** Makes a random world; `prefix` makes the names of its namespaces unique on a server. */
export function makeWorld(random: Random, prefix: string): World {
  return {
    cluster: [
      ...someOf(random, clusterObjects),
      ...(random.chance(0.7) ? [] : aliceMayWrite),
      ...makePolicies(random),
    ],
    namespaces: random.list(2, 3, (index) => makeNamespace(random, `${prefix}-${'abc'[index]}`)),
  };
}

function someOf(random: Random, objects: typeof clusterObjects): readonly KubernetesObject[] {
  return objects.flatMap(([probability, make]) =>
    random.chance(probability) ? [make(random)] : [],
  );
}

const isDefaultClass = 'storageclass.kubernetes.io/is-default-class';
const isDefaultIngressClass = 'ingressclass.kubernetes.io/is-default-class';

const clusterObjects: readonly (readonly [number, (random: Random) => KubernetesObject])[] = [
  [
    0.95,
    (random) => priorityClass('high', 1000, random.some({ globalDefault: [0.3, () => true] })),
  ],
  [0.95, () => priorityClass('low', 10, { preemptionPolicy: 'Never' })],
  [0.5, () => priorityClass('never', -5, { preemptionPolicy: 'Never' })],
  [
    0.8,
    (random) => ({
      apiVersion: 'node.k8s.io/v1',
      kind: 'RuntimeClass',
      metadata: { name: 'gvisor' },
      handler: 'runsc',
      ...random.some({
        overhead: [0.6, () => ({ podFixed: { cpu: '250m', memory: '120Mi' } })],
        scheduling: [
          0.6,
          () => ({
            nodeSelector: { runtime: 'gvisor', ...random.some({ disk: [0.3, () => 'hdd'] }) },
            tolerations: [{ key: 'gvisor', operator: 'Exists', effect: 'NoSchedule' }],
          }),
        ],
      }),
    }),
  ],
  [
    0.6,
    () => ({
      apiVersion: 'node.k8s.io/v1',
      kind: 'RuntimeClass',
      metadata: { name: 'kata' },
      handler: 'kata',
    }),
  ],
  [0.8, (random) => storageClass('fast', random)],
  [0.7, (random) => storageClass('slow', random)],
  [0.6, (random) => ingressClass('nginx', random)],
  [0.4, (random) => ingressClass('internal', random)],
  [
    0.5,
    (random) => {
      const [request, signerName, usages] = random.pick(certificates);
      return {
        apiVersion: 'certificates.k8s.io/v1',
        kind: 'CertificateSigningRequest',
        metadata: { name: 'stored-request' },
        spec: { request: certificateData[request], signerName, usages },
      };
    },
  ],
  [
    0.5,
    () =>
      node('node-a', {
        'topology.kubernetes.io/zone': 'z1',
        'topology.kubernetes.io/region': 'r1',
      }),
  ],
  [0.3, () => node('node-b', {})],
];

function priorityClass(name: string, value: number, extra: Fields): KubernetesObject {
  return {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name },
    value,
    ...extra,
  };
}

function storageClass(name: string, random: Random): KubernetesObject {
  const annotations = random.chance(0.4) ? { [isDefaultClass]: 'true' } : undefined;
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name, ...(annotations && { annotations }) },
    provisioner: 'example.com/disk',
    ...random.some({
      allowVolumeExpansion: [0.5, () => random.chance(0.7)],
      volumeBindingMode: [0.3, () => 'WaitForFirstConsumer'],
    }),
  };
}

function ingressClass(name: string, random: Random): KubernetesObject {
  const annotations = random.chance(0.4) ? { [isDefaultIngressClass]: 'true' } : undefined;
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'IngressClass',
    metadata: { name, ...(annotations && { annotations }) },
    spec: { controller: 'example.com/ingress' },
  };
}

function node(name: string, labels: Fields): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, ...(Object.keys(labels).length > 0 && { labels }) },
  };
}

const rbac = 'rbac.authorization.k8s.io';
/** Lets the user alice write everything, but not act for signers. */
const aliceMayWrite: readonly KubernetesObject[] = [
  {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRole',
    metadata: { name: 'writer' },
    rules: [
      {
        apiGroups: ['*'],
        resources: ['*'],
        verbs: ['get', 'list', 'create', 'update', 'patch', 'delete'],
      },
    ],
  },
  {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name: 'alice-writes' },
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'writer' },
    subjects: [{ apiGroup: rbac, kind: 'User', name: 'alice' }],
  },
];

function makeNamespace(random: Random, name: string): WorldNamespace {
  const inside = (
    apiVersion: string,
    kind: string,
    own: string,
    body: Fields,
  ): KubernetesObject => ({
    apiVersion,
    kind,
    metadata: { name: own, namespace: name },
    ...body,
  });
  return {
    name,
    labels: { ...securityLabels(random), ...random.some({ team: [0.4, () => 'shop'] }) } as Record<
      string,
      string
    >,
    objects: [
      inside(
        'v1',
        'ServiceAccount',
        'default',
        random.some({ imagePullSecrets: [0.2, () => [{ name: 'pull' }]] }),
      ),
      ...(random.chance(0.8)
        ? [
            inside(
              'v1',
              'ServiceAccount',
              'robot',
              random.some({ imagePullSecrets: [0.3, () => [{ name: 'a' }, { name: 'b' }]] }),
            ),
          ]
        : []),
      ...(random.chance(0.6) ? [quietAccount(name, random)] : []),
      ...random.list(0, 3, (index) =>
        inside('v1', 'Pod', `stored-${index}`, { spec: storedPodSpec(random) }),
      ),
      ...(random.chance(0.5) ? [storedClaim(name, random)] : []),
      ...(random.chance(0.5) ? storedWorkloads(name, random) : []),
    ],
    limits: [
      ...(random.chance(0.5) ? [limitRange(name, random)] : []),
      ...(random.chance(0.2) ? [claimLimits(name, random)] : []),
      ...(random.chance(0.4)
        ? random.list(1, 2, (index) => quota(name, `quota-${index}`, random))
        : []),
    ],
  };
}

function quietAccount(namespace: string, random: Random): KubernetesObject {
  const annotations = random.chance(0.3)
    ? { 'kubernetes.io/enforce-mountable-secrets': 'true' }
    : undefined;
  return {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'quiet', namespace, ...(annotations && { annotations }) },
    automountServiceAccountToken: false,
    secrets: [{ name: 'allowed' }],
  };
}

/** A stored pod refers to nothing that may be missing. */
function storedPodSpec(random: Random): Fields {
  const {
    priorityClassName: _,
    runtimeClassName: _class,
    serviceAccountName: _account,
    nodeName: _node,
    ...spec
  } = podSpec(random);
  return spec;
}

function storedClaim(namespace: string, random: Random): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'stored-claim', namespace },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '2Gi' } },
      storageClassName: random.pick(['fast', 'slow']),
    },
  };
}

function storedWorkloads(namespace: string, random: Random): readonly KubernetesObject[] {
  const kinds = ['Deployment', 'StatefulSet', 'ReplicaSet', 'DaemonSet'] as const;
  const template = (): Fields => {
    const { activeDeadlineSeconds: _, restartPolicy: _policy, ...spec } = podSpec(random);
    return { metadata: { labels: { app: 'a' } }, spec };
  };
  const workloads = kinds.map((kind) => ({
    apiVersion: 'apps/v1',
    kind,
    metadata: { name: `stored-${kind.toLowerCase()}`, namespace },
    spec: {
      selector: { matchLabels: { app: 'a' } },
      template: template(),
      ...(kind === 'StatefulSet' ? { serviceName: 'stored' } : {}),
    },
  }));
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'stored', namespace },
    spec: { type: random.pick(['ClusterIP', 'NodePort', 'LoadBalancer']), ports: [{ port: 80 }] },
  };
  return [...workloads, service];
}

const levels = ['privileged', 'baseline', 'baseline', 'restricted', 'restricted'] as const;
const versions = [
  'latest',
  'v1.0',
  'v1.8',
  'v1.19',
  'v1.24',
  'v1.25',
  'v1.29',
  'v1.31',
  'v1.34',
  'v1.37',
  'v1.99',
] as const;

/** Random labels of the pod security levels of a namespace. */
export function securityLabels(random: Random): Record<string, string> {
  const labels: Record<string, string> = {};
  for (const [mode, probability] of [
    ['enforce', 0.16],
    ['audit', 0.15],
    ['warn', 0.3],
  ] as const) {
    if (!random.chance(probability)) continue;
    labels[`pod-security.kubernetes.io/${mode}`] = random.pick(levels);
    if (random.chance(0.4))
      labels[`pod-security.kubernetes.io/${mode}-version`] = random.pick(versions);
  }
  return labels;
}

function limitRange(namespace: string, random: Random): KubernetesObject {
  const limits: Fields[] = [];
  if (random.chance(0.85)) limits.push(containerLimits(random));
  if (random.chance(0.25)) {
    limits.push({
      type: 'Pod',
      ...random.some({
        max: [0.5, () => ({ cpu: '3', memory: '3Gi' })],
        min: [0.3, () => ({ cpu: '50m' })],
        maxLimitRequestRatio: [0.3, () => ({ memory: '4' })],
      }),
    });
  }
  return {
    apiVersion: 'v1',
    kind: 'LimitRange',
    metadata: { name: 'limits', namespace },
    spec: { limits },
  };
}

function containerLimits(random: Random): Fields {
  return {
    type: 'Container',
    ...random.some({
      default: [0.8, () => ({ cpu: '1', ...random.some({ memory: [0.7, () => '1Gi'] }) })],
      defaultRequest: [
        0.6,
        () => ({ cpu: '100m', ...random.some({ memory: [0.5, () => '64Mi'] }) }),
      ],
      min: [0.15, () => ({ cpu: '50m', ...random.some({ memory: [0.4, () => '32Mi'] }) })],
      max: [0.18, () => ({ cpu: '1500m', ...random.some({ memory: [0.5, () => '1Gi'] }) })],
      maxLimitRequestRatio: [0.08, () => ({ cpu: '15' })],
    }),
  };
}

function claimLimits(namespace: string, random: Random): KubernetesObject {
  const limit = {
    type: 'PersistentVolumeClaim',
    ...random.some({
      min: [0.5, () => ({ storage: '1Gi' })],
      max: [1, () => ({ storage: '5Gi' })],
    }),
  };
  return {
    apiVersion: 'v1',
    kind: 'LimitRange',
    metadata: { name: 'claim-limits', namespace },
    spec: { limits: [limit] },
  };
}

/** Amounts of quotas: the usage and the limit. */
const quotaAmounts: Readonly<Record<string, readonly [used: string, hard: readonly string[]]>> = {
  pods: ['2', ['2', '3', '10']],
  'requests.cpu': ['1', ['1500m', '2', '20']],
  cpu: ['1', ['1500m', '2', '20']],
  'limits.cpu': ['1', ['2', '40']],
  'requests.memory': ['512Mi', ['1Gi', '20Gi']],
  memory: ['512Mi', ['1Gi', '20Gi']],
  'limits.memory': ['1Gi', ['2Gi', '40Gi']],
  'requests.ephemeral-storage': ['0', ['1Gi']],
  'requests.example.com/gpu': ['0', ['1', '4']],
  configmaps: ['1', ['1', '5']],
  secrets: ['0', ['1']],
  services: ['1', ['1', '5']],
  'services.nodeports': ['0', ['0', '1']],
  'services.loadbalancers': ['0', ['0', '1']],
  persistentvolumeclaims: ['1', ['1', '5']],
  'requests.storage': ['2Gi', ['3Gi', '20Gi']],
  'fast.storageclass.storage.k8s.io/requests.storage': ['2Gi', ['3Gi', '20Gi']],
  'slow.storageclass.storage.k8s.io/persistentvolumeclaims': ['0', ['0', '1']],
  resourcequotas: ['1', ['1', '3']],
  replicationcontrollers: ['0', ['0', '1']],
  'count/pods': ['2', ['2', '10']],
  'count/configmaps': ['1', ['1', '4']],
  'count/deployments.apps': ['0', ['0', '2']],
  'count/jobs.batch': ['0', ['1']],
  'count/ingresses.networking.k8s.io': ['0', ['0', '1']],
  'count/services': ['1', ['1', '5']],
  'count/serviceaccounts': ['2', ['2', '9']],
};

const podAmounts = [
  'pods',
  'requests.cpu',
  'cpu',
  'limits.cpu',
  'requests.memory',
  'memory',
  'limits.memory',
] as const;

function quota(namespace: string, name: string, random: Random): KubernetesObject {
  const scoped = random.chance(0.35) ? scopes(random) : undefined;
  const isBestEffort = JSON.stringify(scoped ?? {}).includes('BestEffort"');
  const known = isBestEffort
    ? ['pods']
    : scoped === undefined
      ? Object.keys(quotaAmounts)
      : podAmounts;
  const hard: Record<string, string> = {};
  const used: Record<string, string> = {};
  for (const amount of random.list(1, 3, () => random.pick(known))) {
    const [usedAmount, limits] = quotaAmounts[amount] as (typeof quotaAmounts)[string];
    hard[amount] = random.pick(limits);
    used[amount] = usedAmount;
  }
  return {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name, namespace },
    spec: { hard, ...scoped },
    // A quota whose status is unknown refuses every request that it counts.
    status: random.chance(0.97) ? { hard, used } : {},
  };
}

function scopes(random: Random): Fields {
  const simple = random.pick([
    'BestEffort',
    'NotBestEffort',
    'Terminating',
    'NotTerminating',
    'CrossNamespacePodAffinity',
    undefined,
  ]);
  if (simple !== undefined) return { scopes: [simple] };
  const operator = random.pick(['In', 'NotIn', 'Exists', 'DoesNotExist']);
  const hasValues = operator === 'In' || operator === 'NotIn';
  return {
    scopeSelector: {
      matchExpressions: [
        {
          scopeName: 'PriorityClass',
          operator,
          ...(hasValues ? { values: [random.pick(names.priorityClasses)] } : {}),
        },
      ],
    },
  };
}
