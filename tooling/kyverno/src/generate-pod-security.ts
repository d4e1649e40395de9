import { phrases, type Random, words } from '@kubeadmit/random';
import { clusterPolicy, type Made } from './generate-resource.ts';
import { places } from './places.ts';

const levels = ['baseline', 'baseline', 'restricted', 'restricted', 'privileged', 'other'];
const versions = [
  'latest',
  '',
  ...words(
    'v1.0 v1.7 v1.18 v1.19 v1.22 v1.23 v1.24 v1.25 v1.27 v1.29 v1.31 v1.32 v1.34 v1.99 v2.0',
    '1.24 v1.05',
  ),
];
const controls = phrases`
  HostProcess  Host Namespaces  Privileged Containers  Capabilities  HostPath Volumes  Host Ports
  AppArmor  SELinux  /proc Mount Type  Seccomp  Sysctls  Volume Types  Privilege Escalation
  Running as Non-root  Running as Non-root user  capabilities
`;
const lists = ['containers', 'initContainers', 'ephemeralContainers'];
const fields = words(
  'spec.securityContext.runAsNonRoot spec.securityContext.runAsUser',
  'spec.securityContext.seccompProfile.type spec.securityContext.seLinuxOptions.type',
  'spec.securityContext.seLinuxOptions.user spec.securityContext.sysctls[*].name',
  'spec.securityContext.windowsOptions.hostProcess spec.hostNetwork spec.hostPID',
  'spec.volumes[*].hostPath',
  'metadata.annotations[container.apparmor.security.beta.kubernetes.io/*]',
);
const containerFields = words(
  'securityContext.privileged securityContext.allowPrivilegeEscalation',
  'securityContext.capabilities.add securityContext.capabilities.drop',
  'securityContext.procMount securityContext.runAsNonRoot',
  'securityContext.runAsUser securityContext.seccompProfile.type',
  'securityContext.seLinuxOptions.type securityContext.seLinuxOptions.role',
  'securityContext.appArmorProfile.type ports[*].hostPort',
);
const capabilities = ['ALL', 'NET_BIND_SERVICE', 'SYS_ADMIN', 'CHOWN', 'NET_RAW', 'all'];
const images = ['nginx', 'nginx:1.2', 'gcr.io/x/app:v1', 'busybox', 'a:b:c'];
const imagePatterns = ['nginx*', '*', 'gcr.io/*', 'busybox', '?*'];
const profiles = ['RuntimeDefault', 'Localhost', 'Unconfined', 'x', ''];
const values = ['true', 'false', '*', 'SYS_*', 'ALL', '80*', 'nil', '0', 'Unconfined', 'x', '/*'];
const wrong: readonly unknown[] = [
  ...['x', '5', '1Gi', 'a/b', '2024-01-01T00:00:00Z', 5, 1.5, -1, 0, 99999999999, 1e21, true, null],
  ...[[], {}, ['a'], { a: 1 }, [{}], [null], [1, 'x'], [[]]],
];

function maybe(random: Random, share: number, name: string, make: () => unknown): Made {
  return random.chance(share) ? { [name]: make() } : {};
}

function sharedContext(random: Random): Made {
  return {
    ...maybe(random, 0.4, 'runAsNonRoot', () => random.chance(0.6)),
    ...maybe(random, 0.3, 'runAsUser', () => random.pick([0, 0, 1000])),
    ...maybe(random, 0.4, 'seccompProfile', () =>
      maybe(random, 0.9, 'type', () => random.pick(profiles)),
    ),
    ...maybe(random, 0.2, 'appArmorProfile', () =>
      maybe(random, 0.9, 'type', () => random.pick(profiles)),
    ),
    ...maybe(random, 0.2, 'seLinuxOptions', () => ({
      ...maybe(random, 0.6, 'type', () =>
        random.pick(['container_t', 'container_engine_t', 'container_kvm_t', 'x', '']),
      ),
      ...maybe(random, 0.3, 'user', () => random.pick(['u', ''])),
      ...maybe(random, 0.3, 'role', () => random.pick(['r', ''])),
    })),
    ...maybe(random, 0.15, 'windowsOptions', () =>
      maybe(random, 0.8, 'hostProcess', () => random.chance(0.6)),
    ),
  };
}

function containerContext(random: Random): Made {
  return {
    ...sharedContext(random),
    ...maybe(random, 0.5, 'allowPrivilegeEscalation', () => random.chance(0.3)),
    ...maybe(random, 0.3, 'privileged', () => random.chance(0.5)),
    ...maybe(random, 0.2, 'procMount', () => random.pick(['Default', 'Unmasked', ''])),
    ...maybe(random, 0.6, 'capabilities', () => ({
      ...maybe(random, 0.5, 'add', () => random.list(0, 3, () => random.pick(capabilities))),
      ...maybe(random, 0.7, 'drop', () =>
        random.chance(0.5) ? ['ALL'] : random.list(0, 2, () => random.pick(capabilities)),
      ),
    })),
  };
}

function handler(random: Random): Made {
  return random.chance(0.5)
    ? { httpGet: { path: '/', ...maybe(random, 0.5, 'host', () => random.pick(['h', ''])) } }
    : { tcpSocket: { port: 80, ...maybe(random, 0.5, 'host', () => 'h') } };
}

function container(random: Random, at: number): Made {
  return {
    name: random.chance(0.9) ? `c${at}` : 'c0',
    ...maybe(random, 0.95, 'image', () => random.pick(images)),
    ...maybe(random, 0.8, 'securityContext', () => containerContext(random)),
    ...maybe(random, 0.2, 'ports', () =>
      random.list(0, 3, () => ({
        containerPort: 80,
        ...maybe(random, 0.6, 'hostPort', () => random.pick([0, 80, 8080])),
      })),
    ),
    ...maybe(random, 0.05, 'livenessProbe', () => handler(random)),
    ...maybe(random, 0.05, 'lifecycle', () => ({ preStop: handler(random) })),
  };
}

function volume(random: Random): Made {
  const source = random.pick(
    words('emptyDir configMap hostPath hostPath nfs gcePersistentDisk storageos image', 'other'),
  );
  const content = source === 'hostPath' && random.chance(0.8) ? { path: '/x' } : {};
  return { name: 'v', [source]: random.chance(0.05) ? null : content };
}

function podSpec(random: Random): Made {
  return {
    containers: Array.from({ length: 1 + random.below(3) }, (_, at) => container(random, at)),
    ...maybe(random, 0.2, 'initContainers', () => [container(random, 3)]),
    ...maybe(random, 0.1, 'ephemeralContainers', () => [container(random, 4)]),
    ...maybe(random, 0.6, 'securityContext', () => ({
      ...sharedContext(random),
      ...maybe(random, 0.2, 'sysctls', () =>
        random.list(0, 2, () => ({
          name: random.pick(
            words(
              'kernel.shm_rmid_forced net.ipv4.ip_local_reserved_ports net.ipv4.tcp_fin_timeout',
              'net.ipv4.tcp_wmem x',
            ),
          ),
          value: '1',
        })),
      ),
    })),
    ...maybe(random, 0.15, 'hostNetwork', () => random.chance(0.7)),
    ...maybe(random, 0.1, 'hostPID', () => random.chance(0.7)),
    ...maybe(random, 0.1, 'hostIPC', () => random.chance(0.7)),
    ...maybe(random, 0.05, 'hostUsers', () => false),
    ...maybe(random, 0.1, 'os', () => ({ name: random.pick(['windows', 'linux']) })),
    ...maybe(random, 0.3, 'volumes', () => random.list(0, 3, () => volume(random))),
  };
}

function metadata(random: Random): Made {
  const annotations: Made = {};
  if (random.chance(0.15))
    annotations[`container.apparmor.security.beta.kubernetes.io/${random.pick(['c0', 'c1'])}`] =
      random.pick(['unconfined', 'runtime/default', 'localhost/x', '']);
  if (random.chance(0.1))
    annotations['container.seccomp.security.alpha.kubernetes.io/c0'] = random.pick([
      'unconfined',
      'docker/default',
      'localhost/x',
    ]);
  if (random.chance(0.05)) annotations['seccomp.security.alpha.kubernetes.io/pod'] = 'x';
  return { name: 'a', namespace: 'd', ...(Object.keys(annotations).length > 0 && { annotations }) };
}

/** Fields that no check looks at, which the Go types have all the same. */
const unseen: Readonly<Record<'metadata' | 'pod' | 'container' | 'workload', Made>> = {
  metadata: {
    labels: { app: 'a' },
    finalizers: ['example.com/f'],
    creationTimestamp: '2024-01-01T00:00:00Z',
    generation: 3,
    ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'b', uid: 'u', controller: true }],
    managedFields: [{ manager: 'm', time: '2024-01-01T00:00:00Z', fieldsV1: { 'f:spec': {} } }],
  },
  pod: {
    activeDeadlineSeconds: 5,
    affinity: {
      nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1 }] },
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: 't', labelSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] } },
        ],
      },
    },
    dnsConfig: { nameservers: ['1.1.1.1'], options: [{ name: 'o', value: 'v' }] },
    hostAliases: [{ ip: '1.1.1.1', hostnames: ['h'] }],
    nodeSelector: { disk: 'ssd' },
    overhead: { cpu: '10m' },
    priority: 1,
    restartPolicy: 'Always',
    tolerations: [{ key: 'k', operator: 'Exists', tolerationSeconds: 5 }],
    topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 't', whenUnsatisfiable: 'x' }],
  },
  container: {
    args: ['a'],
    env: [{ name: 'E', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
    envFrom: [{ configMapRef: { name: 'c', optional: true } }],
    livenessProbe: { grpc: { port: 1 }, periodSeconds: 5 },
    readinessProbe: { httpGet: { port: 'http', httpHeaders: [{ name: 'n', value: 'v' }] } },
    resources: { limits: { cpu: '1', memory: '1Gi' }, claims: [{ name: 'c' }] },
    stdin: true,
    volumeMounts: [{ name: 'v', mountPath: '/v', readOnly: true }],
  },
  workload: {
    replicas: 2,
    minReadySeconds: 1,
    paused: false,
    revisionHistoryLimit: 3,
    selector: {
      matchLabels: { app: 'a' },
      matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }],
    },
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: '25%' } },
    // Of other kinds than Deployment, which Kyverno reads all as such.
    serviceName: 's',
    updateStrategy: { type: 'OnDelete' },
    backoffLimit: 4,
  },
};

/** Some fields that no check looks at. */
function someUnseen(random: Random, of: keyof typeof unseen): Made {
  const entries = Object.entries(unseen[of]).filter(() => random.chance(0.3));
  return structuredClone(Object.fromEntries(entries));
}

function resource(random: Random, kind: string): Made {
  const made = workload(random, kind);
  const metadataOfAll = { ...someUnseen(random, 'metadata'), ...metadata(random) };
  const object = { ...made, metadata: made['metadata'] ?? metadataOfAll };
  if (random.chance(0.15)) spoil(random, object);
  return object;
}

function workload(random: Random, kind: string): Made {
  const isFull = random.chance(0.3);
  const spec = podSpec(random);
  if (isFull) {
    Object.assign(spec, someUnseen(random, 'pod'));
    for (const each of spec['containers'] as Made[]) {
      Object.assign(each, { ...someUnseen(random, 'container'), ...each });
    }
  }
  const rest = isFull ? someUnseen(random, 'workload') : {};
  const pod = { metadata: metadata(random), spec };
  switch (kind) {
    case 'Pod':
      return { apiVersion: 'v1', kind, ...pod };
    case 'CronJob': {
      const job = { ...rest, template: pod };
      const jobTemplate = { metadata: metadata(random), spec: job };
      const timing = isFull
        ? { schedule: '* * * * *', suspend: true, startingDeadlineSeconds: 5 }
        : {};
      return { apiVersion: 'batch/v1', kind, spec: { ...timing, jobTemplate } };
    }
    case 'ConfigMap':
      return { apiVersion: 'v1', kind };
    default:
      return {
        apiVersion: kind === 'Job' ? 'batch/v1' : 'apps/v1',
        kind,
        spec: { ...rest, template: pod },
        ...(isFull && { status: { conditions: [{ type: 'A', status: 'True' }], replicas: 1 } }),
      };
  }
}

/** Puts values of a wrong type at some places below the name of the object, or writes the name of a field otherwise. */
function spoil(random: Random, object: Made): void {
  const roots = ['spec', 'status', 'metadata'].filter((key) => object[key] !== undefined);
  for (let times = 1 + random.below(2); times > 0; times--) {
    const found = roots.flatMap((key) => places(object[key]));
    if (found.length === 0) return;
    const [holder, key] = random.pick(found);
    if (holder === object['metadata'] && (key === 'name' || key === 'namespace')) continue;
    if (!Array.isArray(holder) && random.chance(0.15)) {
      const value = holder[key];
      delete holder[key];
      holder[random.chance(0.5) ? String(key).toUpperCase() : `${key}s`] = value;
    } else holder[key] = structuredClone(random.pick(wrong));
  }
}

/** An item of `podSecurity.exclude`, or of the `podSecurity` of an exception. */
export function exclusion(random: Random): Made {
  const field = random.chance(0.5)
    ? random.pick(fields)
    : `spec.${random.pick(lists)}[*].${random.pick(containerFields)}`;
  return {
    controlName: random.pick(controls),
    ...maybe(random, 0.5, 'images', () => random.list(0, 2, () => random.pick(imagePatterns))),
    ...maybe(random, 0.4, 'restrictedField', () => field),
    ...maybe(random, 0.3, 'values', () => random.list(0, 3, () => random.pick(values))),
  };
}

function exception(random: Random): Made {
  const kinds = [random.pick(['Pod', '*', 'Deployment'])];
  return {
    apiVersion: 'kyverno.io/v2',
    kind: 'PolicyException',
    metadata: { name: random.pick(['e', 'f']), namespace: 'd' },
    spec: {
      exceptions: [{ policyName: 'p', ruleNames: [random.pick(['r', '*', 'autogen-*'])] }],
      match: { any: [{ resources: { kinds } }] },
      ...maybe(random, 0.7, 'podSecurity', () => random.list(0, 3, () => exclusion(random))),
      ...maybe(random, 0.2, 'conditions', () => ({
        all: [{ key: '{{ request.operation }}', operator: 'Equals', value: 'CREATE' }],
      })),
    },
  };
}

/** A case of `rules` with one rule that asks for a level of the Pod Security Standards. */
export function generatePodSecurity(random: Random): object {
  const kind = random.pick(['Pod', 'Pod', 'Pod', 'Deployment', 'CronJob', 'Job', 'ConfigMap']);
  const operation = random.pick(['CREATE', 'CREATE', 'CREATE', 'UPDATE', 'DELETE']);
  const rule = {
    name: 'r',
    match: { any: [{ resources: { kinds: [random.chance(0.8) ? 'Pod' : '*'] } }] },
    validate: {
      ...maybe(random, 0.3, 'message', () => 'm'),
      ...maybe(random, 0.4, 'failureAction', () => 'Enforce'),
      ...maybe(random, 0.2, 'allowExistingViolations', () => random.chance(0.5)),
      podSecurity: {
        level: random.pick(levels),
        version: random.pick(versions),
        ...maybe(random, 0.5, 'exclude', () => random.list(0, 3, () => exclusion(random))),
      },
    },
  };
  return {
    policies: [clusterPolicy('p', { rules: [rule] })],
    resource: resource(random, kind),
    operation,
    ...(operation === 'UPDATE' && random.chance(0.6) && { oldResource: resource(random, kind) }),
    ...(random.chance(0.3) && { exceptions: random.list(0, 2, () => exception(random)) }),
    ...(random.chance(0.2) && { cluster: true }),
  };
}

/** An answer in which findings and fields that Kyverno lists in random order are sorted. */
export function sortFindings(answer: string): string {
  return answer.replaceAll(/\(Forbidden reason: .*?\]\)(?="|\\n)/g, (findings) =>
    findings
      .split(/(?=\(Forbidden reason: )/)
      .map((finding) =>
        finding.replace(/(?<=field error list: \[).*(?=\]\)$)/, (list) =>
          list.split(', ').sort().join(', '),
        ),
      )
      .sort()
      .join(''),
  );
}
