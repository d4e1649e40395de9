import type { Random } from '@kubeadmit/random';

/** The members of an object. */
export type Fields = Readonly<Record<string, unknown>>;

/** Names of objects that a world may or may not contain. */
export const names = {
  priorityClasses: [
    'high',
    'high',
    'low',
    'low',
    'system-node-critical',
    'system-cluster-critical',
    'never',
  ],
  runtimeClasses: ['gvisor', 'gvisor', 'kata'],
  storageClasses: ['fast', 'slow', 'missing-class'],
  ingressClasses: ['nginx', 'internal'],
  serviceAccounts: ['robot', 'robot', 'quiet', 'default'],
  nodes: ['node-a', 'node-b'],
} as const;

const cpu = ['50m', '100m', '0.5', '1', '1500m', '2'] as const;
const memory = ['16Mi', '64Mi', '128M', '1Gi', '2Gi'] as const;

/** Random amounts of the resources that containers use. */
function amounts(random: Random, probability = 0.6): Fields {
  return random.some({
    cpu: [probability, () => random.pick(cpu)],
    memory: [probability, () => random.pick(memory)],
    'ephemeral-storage': [probability / 6, () => random.pick(['1Gi', '500M'])],
    'example.com/gpu': [probability / 8, () => random.pick(['1', '2'])],
  });
}

/** Random requests and limits that validation accepts: no request is above its limit. */
function resources(random: Random): Fields {
  const limits = random.chance(0.6) ? amounts(random) : {};
  const requests: Record<string, unknown> = {};
  for (const [name, list] of [
    ['cpu', cpu],
    ['memory', memory],
  ] as const) {
    if (!random.chance(0.5)) continue;
    const limit = limits[name] as string | undefined;
    const most = limit === undefined ? list.length - 1 : (list as readonly string[]).indexOf(limit);
    requests[name] = list[random.below(most + 1)];
  }
  return {
    ...random.some({ limits: [0.8, () => limits] }),
    ...(Object.keys(requests).length > 0 ? { requests } : {}),
  };
}

function containerSecurity(random: Random): Fields {
  const isPrivileged = random.chance(0.05);
  return random.some({
    ...(isPrivileged
      ? { privileged: [1, () => true] }
      : { privileged: [0.05, () => false], allowPrivilegeEscalation: [0.4, () => false] }),
    runAsNonRoot: [0.3, () => random.chance(0.8)],
    runAsUser: [0.15, () => random.pick([0, 1000])],
    procMount: [0.04, () => 'Default'],
    readOnlyRootFilesystem: [0.1, () => true],
    seccompProfile: [0.2, () => seccomp(random)],
    seLinuxOptions: [0.08, () => seLinux(random)],
    appArmorProfile: [0.08, () => ({ type: random.pick(['RuntimeDefault', 'Unconfined']) })],
    capabilities: [
      0.4,
      () =>
        random.some({
          drop: [0.8, () => random.pick([['ALL'], ['ALL'], ['NET_RAW'], ['CHOWN', 'KILL']])],
          add: [
            0.3,
            () =>
              random.pick([
                ['NET_BIND_SERVICE'],
                ['SYS_ADMIN', 'NET_ADMIN'],
                ['CHOWN'],
                ['SYS_TIME'],
              ]),
          ],
        }),
    ],
  });
}

function seccomp(random: Random): Fields {
  const type = random.pick(['RuntimeDefault', 'RuntimeDefault', 'Unconfined', 'Localhost']);
  return { type, ...(type === 'Localhost' ? { localhostProfile: 'a.json' } : {}) };
}

function seLinux(random: Random): Fields {
  return random.some({
    type: [0.6, () => random.pick(['container_t', 'spc_t', 'container_engine_t'])],
    user: [0.3, () => 'system_u'],
    role: [0.2, () => 'system_r'],
    level: [0.3, () => 's0'],
  });
}

function podSecurity(random: Random): Fields {
  return random.some({
    runAsNonRoot: [0.4, () => random.chance(0.85)],
    runAsUser: [0.15, () => random.pick([0, 1000])],
    fsGroup: [0.1, () => 2000],
    seccompProfile: [0.4, () => seccomp(random)],
    seLinuxOptions: [0.06, () => seLinux(random)],
    sysctls: [
      0.1,
      () => [
        {
          name: random.pick([
            'kernel.shm_rmid_forced',
            'net.ipv4.tcp_rmem',
            'net.core.somaxconn',
            'net.ipv4.ip_local_reserved_ports',
          ]),
          value: '1',
        },
      ],
    ],
    windowsOptions: [0.02, () => ({ runAsUserName: 'a' })],
  });
}

function probe(random: Random): Fields {
  return {
    httpGet: { path: '/', port: 80, ...random.some({ host: [0.2, () => '127.0.0.1'] }) },
  };
}

function container(random: Random, name: string, isInit = false): Fields {
  return {
    name,
    image: random.pick(['nginx', 'nginx:1.25', 'registry.example.com/a/b:latest']),
    ...random.some({
      ports: [
        0.3,
        () => [
          {
            containerPort: 8080,
            ...random.some({ hostPort: [0.2, () => 8080], name: [0.3, () => 'http'] }),
          },
        ],
      ],
      resources: [0.75, () => resources(random)],
      securityContext: [0.55, () => containerSecurity(random)],
      imagePullPolicy: [0.2, () => random.pick(['Always', 'Never'])],
      env: [0.2, () => [{ name: 'A', value: 'b' }]],
    }),
    ...(isInit
      ? random.some({ restartPolicy: [0.3, () => 'Always'] })
      : random.some({
          readinessProbe: [0.15, () => probe(random)],
          lifecycle: [0.05, () => ({ preStop: probe(random) })],
        })),
  };
}

const volumes: Readonly<Record<string, (random: Random) => Fields>> = {
  emptyDir: () => ({}),
  hostPath: () => ({ path: '/var/log' }),
  configMap: () => ({ name: 'settings' }),
  secret: (random) => ({ secretName: random.pick(['allowed', 'other']) }),
  nfs: () => ({ server: 'nfs.example.com', path: '/' }),
  persistentVolumeClaim: () => ({ claimName: 'data' }),
  downwardAPI: () => ({ items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] }),
  projected: () => ({ sources: [{ configMap: { name: 'settings' } }] }),
  gcePersistentDisk: () => ({ pdName: 'disk' }),
};

function volume(random: Random, index: number): Fields {
  const type = random.pick(['emptyDir', 'emptyDir', ...Object.keys(volumes)]);
  return { name: `v${index}`, [type]: volumes[type]?.(random) };
}

function toleration(random: Random): Fields {
  const effect = random.pick(['NoSchedule', 'NoExecute', undefined]);
  const key = random.pick([
    'node.kubernetes.io/not-ready',
    'node.kubernetes.io/unreachable',
    'team',
    undefined,
  ]);
  return {
    ...(key === undefined ? {} : { key }),
    operator: 'Exists',
    ...(effect === undefined ? {} : { effect }),
    ...(effect === 'NoExecute' ? random.some({ tolerationSeconds: [0.5, () => 60] }) : {}),
  };
}

function spread(random: Random): Fields {
  return {
    maxSkew: 1,
    topologyKey: 'kubernetes.io/hostname',
    whenUnsatisfiable: random.pick(['DoNotSchedule', 'ScheduleAnyway']),
    labelSelector: { matchLabels: { app: 'a' } },
  };
}

function antiAffinity(random: Random): Fields {
  const term = {
    labelSelector: {},
    topologyKey: 'kubernetes.io/hostname',
    ...random.some({ namespaces: [0.4, () => ['other']] }),
  };
  return random.chance(0.5)
    ? { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } }
    : {
        podAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: term }],
        },
      };
}

/** A random pod specification that passes validation, with the fields that default admission plugins read. */
export function podSpec(random: Random, extra: Fields = {}): Fields {
  const spec: Fields = {
    containers: random.list(1, 2, (index) => container(random, `c${index}`)),
    ...random.some({
      initContainers: [
        0.25,
        () => random.list(1, 2, (index) => container(random, `i${index}`, true)),
      ],
      securityContext: [0.55, () => podSecurity(random)],
      hostNetwork: [0.05, () => true],
      hostPID: [0.05, () => true],
      hostUsers: [0.05, () => false],
      serviceAccountName: [0.25, () => random.pick(names.serviceAccounts)],
      automountServiceAccountToken: [0.2, () => random.chance(0.4)],
      priorityClassName: [0.25, () => random.pick(names.priorityClasses)],
      runtimeClassName: [0.15, () => random.pick(names.runtimeClasses)],
      tolerations: [0.25, () => random.list(1, 2, () => toleration(random))],
      nodeSelector: [0.12, () => ({ disk: 'ssd' })],
      nodeName: [0.05, () => random.pick(names.nodes)],
      volumes: [0.35, () => random.list(1, 2, (index) => volume(random, index))],
      imagePullSecrets: [0.08, () => [{ name: 'pull' }]],
      terminationGracePeriodSeconds: [0.1, () => 5],
      activeDeadlineSeconds: [0.12, () => 600],
      topologySpreadConstraints: [0.08, () => [spread(random)]],
      affinity: [0.08, () => antiAffinity(random)],
      os: [0.05, () => ({ name: 'linux' })],
      resources: [
        0.08,
        () => ({
          limits: { cpu: '4', memory: '8Gi' },
          ...random.some({ requests: [0.5, () => ({ cpu: '3' })] }),
        }),
      ],
    }),
    ...extra,
  };
  return spec['hostNetwork'] === true ? withHostPorts(spec) : spec;
}

/** A pod in the network of its node has the same port there as in its containers. */
function withHostPorts(spec: Fields): Fields {
  const {
    containers,
    initContainers,
    hostUsers: _,
    ...rest
  } = spec as { readonly [name: string]: unknown };
  const without = (list: unknown): unknown =>
    (list as readonly Fields[] | undefined)?.map(({ ports: _ports, ...each }) => each);
  return {
    ...rest,
    containers: without(containers),
    ...(initContainers === undefined ? {} : { initContainers: without(initContainers) }),
  };
}
