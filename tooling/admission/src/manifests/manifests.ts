import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { type Random, words } from '@kubeadmit/random';
import { type Fields, type ManifestKind, of, ofCluster, withStatus } from './manifest-kind.ts';
import { rareKinds } from './rare-kinds.ts';

/** A manifest with the resource that it is sent to. */
export interface MadeManifest {
  readonly object: KubernetesObject;
  readonly resource: string;
  readonly namespaced: boolean;
}

const names: readonly string[] = words('web api db cache job-a queue shop cart mail log');
const keys: readonly string[] = words('app tier team example.com/part env');

/** Makes a valid manifest of a random kind with a unique name. */
export function makeManifest(random: Random, number: number): MadeManifest {
  const kind = random.pick(Object.keys(kinds));
  const { apiVersion, resource, namespaced, make } = kinds[kind] as ManifestKind;
  const { metadata = {}, body = {} } = make(random);
  const name = (metadata['name'] as string | undefined) ?? `${random.pick(names)}-${number}`;
  const object = {
    apiVersion,
    kind,
    metadata: { name, ...ownMetadata(random), ...metadata },
    ...body,
  };
  return { object, resource, namespaced };
}

function ownMetadata(random: Random): Fields {
  return random.some({
    labels: [0.6, () => labels(random)],
    annotations: [0.4, () => labels(random)],
    finalizers: [0.1, () => ['example.com/hold']],
  });
}

function labels(random: Random): Fields {
  return Object.fromEntries(random.list(0, 3, () => [random.pick(keys), random.pick(names)]));
}

function amounts(random: Random): Fields {
  return random.some({
    cpu: [0.6, () => random.pick(['100m', '1', '0.5', '1500m'])],
    memory: [0.6, () => random.pick(['64Mi', '1Gi', '128M'])],
  });
}

function container(random: Random, index: number): Fields {
  return {
    name: `c${index}`,
    image: random.pick(['nginx', 'nginx:1.25', 'registry.example.com/a/b:latest', 'a@sha256:0']),
    ...random.some({
      ports: [0.4, () => [{ containerPort: random.pick([80, 8080, 443]) }]],
      env: [0.4, () => [{ name: 'A', value: 'b' }]],
      resources: [
        0.5,
        () => random.some({ limits: [0.7, () => amounts(random)], requests: [0.5, () => ({})] }),
      ],
      command: [0.3, () => ['sh', '-c', 'true']],
      readinessProbe: [0.3, () => ({ httpGet: { path: '/', port: 80 } })],
      securityContext: [0.3, () => ({ runAsNonRoot: random.chance(0.5) })],
      imagePullPolicy: [0.2, () => 'Never'],
    }),
  };
}

function podSpec(random: Random, extra: Fields = {}): Fields {
  return {
    containers: random.list(1, 3, (index) => container(random, index)),
    ...random.some({
      initContainers: [0.2, () => [container(random, 9)]],
      hostNetwork: [0.1, () => false],
      nodeSelector: [0.2, () => ({ disk: 'ssd' })],
      tolerations: [0.2, () => [{ key: 'a', operator: 'Exists' }]],
      serviceAccountName: [0.3, () => 'robot'],
      volumes: [0.3, () => [{ name: 'tmp', emptyDir: {} }]],
      terminationGracePeriodSeconds: [0.2, () => 5],
    }),
    ...extra,
  };
}

function template(random: Random, extra: Fields = {}): Fields {
  return { metadata: { labels: { app: 'a', ...labels(random) } }, spec: podSpec(random, extra) };
}

function workload(random: Random, extra: Fields = {}): Fields {
  const own = template(random);
  const { app } = (own['metadata'] as { labels: Record<string, string> }).labels;
  return {
    selector: { matchLabels: { app } },
    template: own,
    ...random.some({ replicas: [0.6, () => random.below(4)], minReadySeconds: [0.2, () => 3] }),
    ...extra,
  };
}

const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }];
const subjects = [{ kind: 'ServiceAccount', name: 'robot', namespace: 'default' }];

const kinds: Readonly<Record<string, ManifestKind>> = {
  ...rareKinds,
  Pod: of('v1', 'pods', (random) => ({
    body: withStatus(random, { spec: podSpec(random) }, { phase: 'Running' }),
  })),
  Deployment: of('apps/v1', 'deployments', (random) => ({
    body: withStatus(random, { spec: workload(random) }, { replicas: 4 }),
  })),
  ReplicaSet: of('apps/v1', 'replicasets', (random) => ({
    body: withStatus(random, { spec: workload(random) }, { replicas: 4 }),
  })),
  StatefulSet: of('apps/v1', 'statefulsets', (random) => ({
    body: withStatus(
      random,
      { spec: workload(random, { serviceName: 'a' }) },
      { replicas: 1, currentRevision: 'a' },
    ),
  })),
  DaemonSet: of('apps/v1', 'daemonsets', (random) => {
    const { replicas: _, ...spec } = workload(random);
    return { body: { spec } };
  }),
  ReplicationController: of('v1', 'replicationcontrollers', (random) => ({
    body: { spec: { ...random.some({ replicas: [0.5, () => 2] }), template: template(random) } },
  })),
  Job: of('batch/v1', 'jobs', (random) => ({
    body: withStatus(
      random,
      {
        spec: {
          template: {
            ...(random.chance(0.5) ? { metadata: { labels: labels(random) } } : {}),
            spec: podSpec(random, { restartPolicy: 'Never' }),
          },
          ...random.some({ parallelism: [0.4, () => 2], suspend: [0.3, () => true] }),
        },
      },
      { active: 1 },
    ),
  })),
  CronJob: of('batch/v1', 'cronjobs', (random) => ({
    body: {
      spec: {
        schedule: '*/5 * * * *',
        jobTemplate: { spec: { template: template(random, { restartPolicy: 'OnFailure' }) } },
      },
    },
  })),
  PodTemplate: of('v1', 'podtemplates', (random) => ({ body: { template: template(random) } })),
  Service: of('v1', 'services', (random) => ({ body: { spec: serviceSpec(random) } })),
  ConfigMap: of('v1', 'configmaps', (random) => ({
    body: random.some({ data: [0.8, () => labels(random)], immutable: [0.2, () => false] }),
  })),
  Secret: of('v1', 'secrets', (random) => ({
    body: random.some({
      stringData: [0.5, () => ({ a: 'b' })],
      data: [0.5, () => ({ c: 'ZA==' })],
      type: [0.3, () => 'example.com/own'],
    }),
  })),
  ServiceAccount: of('v1', 'serviceaccounts', (random) => ({
    body: random.some({ automountServiceAccountToken: [0.4, () => false] }),
  })),
  PersistentVolumeClaim: of('v1', 'persistentvolumeclaims', (random) => ({
    body: withStatus(
      random,
      {
        spec: {
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '1Gi' } },
          ...random.some({
            storageClassName: [0.4, () => 'fast'],
            dataSource: [0.2, () => ({ kind: 'PersistentVolumeClaim', name: 'a' })],
          }),
        },
      },
      { phase: 'Bound' },
    ),
  })),
  LimitRange: of('v1', 'limitranges', () => ({
    body: { spec: { limits: [{ type: 'PersistentVolumeClaim', max: { storage: '10Gi' } }] } },
  })),
  ResourceQuota: of('v1', 'resourcequotas', (random) => ({
    body: withStatus(
      random,
      { spec: { hard: { 'count/widgets.example.com': '9' } } },
      { hard: {} },
    ),
  })),
  Endpoints: of('v1', 'endpoints', (random) => ({
    body: random.some({
      subsets: [0.6, () => [{ addresses: [{ ip: '10.1.0.1' }], ports: [{ port: 80 }] }]],
    }),
  })),
  Event: of('v1', 'events', (random) => ({
    metadata: { namespace: 'default' },
    body: {
      involvedObject: { kind: 'Pod', name: 'a', namespace: 'default', apiVersion: 'v1' },
      ...random.some({ reason: [0.5, () => 'Started'], type: [0.5, () => 'Normal'] }),
    },
  })),
  EndpointSlice: of('discovery.k8s.io/v1', 'endpointslices', (random) => ({
    body: {
      addressType: 'IPv4',
      endpoints: [{ addresses: ['10.1.0.1'], ...random.some({ hostname: [0.3, () => 'a'] }) }],
      ports: [{ port: 80, ...random.some({ name: [0.5, () => 'http'] }) }],
    },
  })),
  Ingress: of('networking.k8s.io/v1', 'ingresses', (random) => ({
    body: withStatus(
      random,
      {
        spec: {
          defaultBackend: { service: { name: 'a', port: { number: 80 } } },
          ...random.some({ ingressClassName: [0.4, () => 'nginx'] }),
        },
      },
      { loadBalancer: {} },
    ),
  })),
  NetworkPolicy: of('networking.k8s.io/v1', 'networkpolicies', (random) => ({
    body: {
      spec: {
        podSelector: random.chance(0.5) ? {} : { matchLabels: labels(random) },
        ...random.some({
          ingress: [0.5, () => [{ ports: [{ port: 80 }] }]],
          egress: [0.4, () => [{}]],
        }),
      },
    },
  })),
  HorizontalPodAutoscaler: of('autoscaling/v2', 'horizontalpodautoscalers', (random) => ({
    body: withStatus(
      random,
      {
        spec: {
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' },
          maxReplicas: 5,
          ...random.some({ minReplicas: [0.5, () => 2] }),
        },
      },
      { currentReplicas: 2, desiredReplicas: 3 },
    ),
  })),
  PodDisruptionBudget: of('policy/v1', 'poddisruptionbudgets', (random) => ({
    body: withStatus(
      random,
      { spec: { minAvailable: random.pick([1, '50%']), selector: { matchLabels: { app: 'a' } } } },
      { currentHealthy: 1, desiredHealthy: 1, disruptionsAllowed: 0, expectedPods: 1 },
    ),
  })),
  Role: of('rbac.authorization.k8s.io/v1', 'roles', () => ({ body: { rules } })),
  RoleBinding: of('rbac.authorization.k8s.io/v1', 'rolebindings', () => ({
    body: {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
      subjects,
    },
  })),
  ClusterRole: ofCluster('rbac.authorization.k8s.io/v1', 'clusterroles', () => ({
    body: { rules },
  })),
  ClusterRoleBinding: ofCluster('rbac.authorization.k8s.io/v1', 'clusterrolebindings', () => ({
    body: {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
      subjects,
    },
  })),
  Lease: of('coordination.k8s.io/v1', 'leases', (random) => ({
    body: {
      spec: random.some({ holderIdentity: [0.6, () => 'a'], leaseTransitions: [0.3, () => 1] }),
    },
  })),
  ControllerRevision: of('apps/v1', 'controllerrevisions', () => ({
    body: { revision: 1, data: { a: 1 } },
  })),
  Namespace: ofCluster('v1', 'namespaces', (random) => ({
    body: random.some({ spec: [0.3, () => ({ finalizers: ['example.com/own'] })] }),
  })),
  Node: ofCluster('v1', 'nodes', (random) => ({
    body: random.some({
      spec: [0.6, () => ({ unschedulable: true })],
      status: [0.4, () => ({ capacity: { cpu: '4' } })],
    }),
  })),
  PersistentVolume: ofCluster('v1', 'persistentvolumes', (random) => ({
    body: withStatus(
      random,
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          hostPath: { path: '/tmp/a' },
        },
      },
      { phase: 'Bound' },
    ),
  })),
  StorageClass: ofCluster('storage.k8s.io/v1', 'storageclasses', (random) => ({
    body: {
      provisioner: 'example.com/disk',
      ...random.some({ volumeBindingMode: [0.5, () => 'WaitForFirstConsumer'] }),
    },
  })),
  CSIDriver: ofCluster('storage.k8s.io/v1', 'csidrivers', (random) => ({
    body: { spec: random.some({ attachRequired: [0.5, () => false] }) },
  })),
  VolumeAttributesClass: ofCluster('storage.k8s.io/v1', 'volumeattributesclasses', () => ({
    body: { driverName: 'example.com', parameters: { a: 'b' } },
  })),
  PriorityClass: ofCluster('scheduling.k8s.io/v1', 'priorityclasses', (random) => ({
    body: { value: random.below(1000), ...random.some({ description: [0.4, () => 'a'] }) },
  })),
  RuntimeClass: ofCluster('node.k8s.io/v1', 'runtimeclasses', () => ({
    body: { handler: 'runc' },
  })),
  IngressClass: ofCluster('networking.k8s.io/v1', 'ingressclasses', (random) => ({
    body: { spec: random.some({ controller: [1, () => 'example.com/ingress'] }) },
  })),
  FlowSchema: ofCluster('flowcontrol.apiserver.k8s.io/v1', 'flowschemas', (random) => ({
    body: withStatus(
      random,
      { spec: { priorityLevelConfiguration: { name: 'global-default' } } },
      { conditions: [{ type: 'Dangling', status: 'False' }] },
    ),
  })),
  PriorityLevelConfiguration: ofCluster(
    'flowcontrol.apiserver.k8s.io/v1',
    'prioritylevelconfigurations',
    () => ({ body: { spec: { type: 'Limited', limited: {} } } }),
  ),
  DeviceClass: ofCluster('resource.k8s.io/v1', 'deviceclasses', () => ({ body: { spec: {} } })),
  ResourceClaimTemplate: of('resource.k8s.io/v1', 'resourceclaimtemplates', () => ({
    body: { spec: { spec: { devices: {} } } },
  })),
  CustomResourceDefinition: ofCluster(
    'apiextensions.k8s.io/v1',
    'customresourcedefinitions',
    (random) => {
      const plural = `${random.pick(words('gizmos tools parts'))}${random.below(1_000_000)}`;
      return {
        metadata: { name: `${plural}.example.net` },
        body: {
          spec: {
            group: 'example.net',
            scope: random.pick(['Namespaced', 'Cluster']),
            names: {
              plural,
              kind: `Kind${plural}`,
              ...random.some({
                singular: [0.3, () => `one${plural}`],
                shortNames: [0.2, () => []],
              }),
            },
            versions: [
              {
                name: 'v1',
                served: true,
                storage: true,
                schema: { openAPIV3Schema: { type: 'object' } },
                ...random.some({ subresources: [0.4, () => ({ status: {} })] }),
              },
            ],
          },
        },
      };
    },
  ),
  Widget: of('example.com/v1', 'widgets', (random) => ({
    body: withStatus(
      random,
      {
        spec: random.some({
          size: [0.6, () => random.below(9)],
          ratio: [0.4, () => 1.5],
          parts: [0.5, () => random.list(0, 3, (index) => ({ name: `p${index}` }))],
        }),
      },
      { ready: true },
    ),
  })),
  Gadget: ofCluster('example.com/v1', 'gadgets', (random) => ({
    body: { spec: { any: { [random.pick(names)]: 1 } }, status: { seen: true } },
  })),
};

function serviceSpec(random: Random): Fields {
  const type = random.pick([undefined, 'ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName']);
  if (type === 'ExternalName') return { type, externalName: 'example.com' };
  return {
    ...(type === undefined ? {} : { type }),
    ports: [{ port: 80, ...random.some({ targetPort: [0.5, () => 'http'] }) }],
    ...random.some({
      selector: [0.7, () => ({ app: 'a' })],
      sessionAffinity: [0.2, () => 'ClientIP'],
    }),
    ...(random.chance(0.15) && type !== 'NodePort' && type !== 'LoadBalancer'
      ? { clusterIP: 'None' }
      : {}),
  };
}

/** The definitions of the custom resources among the manifests. */
export const definitions: readonly KubernetesObject[] = [
  definitionOf('widgets', 'Widget', 'Namespaced', {
    subresources: { status: {} },
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: {
          spec: {
            type: 'object',
            properties: {
              size: { type: 'integer', default: 3 },
              ratio: { type: 'number' },
              parts: {
                type: 'array',
                'x-kubernetes-list-type': 'map',
                'x-kubernetes-list-map-keys': ['name'],
                items: {
                  type: 'object',
                  required: ['name'],
                  properties: {
                    name: { type: 'string' },
                    state: { type: 'string', default: 'new' },
                  },
                },
              },
            },
          },
          status: { type: 'object', properties: { ready: { type: 'boolean' } } },
        },
      },
    },
  }),
  definitionOf('gadgets', 'Gadget', 'Cluster', {
    schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  }),
];

function definitionOf(
  plural: string,
  kind: string,
  scope: string,
  version: Fields,
): KubernetesObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: 'example.com',
      scope,
      names: { plural, kind, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [{ name: 'v1', served: true, storage: true, ...version }],
    },
  };
}
