import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { Random } from '@kubeadmit/random';
import { type Fields, podSpec } from '../write/pods.ts';

const USAGE = `usage: POD_SECURITY=program record-pod-security COUNT SEED FILE

Writes random pods with the violations that the program finds (oracle/pod-security.go), a case a line.`;

const levels = ['baseline', 'restricted'] as const;
const versions = [0, 7, 8, 18, 19, 22, 23, 25, 27, 29, 31, 32, 34, 35, 36, 37, 99] as const;
const annotations = [
  'seccomp.security.alpha.kubernetes.io/pod',
  'container.seccomp.security.alpha.kubernetes.io/c0',
  'container.apparmor.security.beta.kubernetes.io/c0',
  'container.apparmor.security.beta.kubernetes.io/other',
] as const;
const profiles = [
  'runtime/default',
  'unconfined',
  'localhost/a',
  '',
  'docker/default',
  'a "b"',
] as const;

/** A random pod; validation would refuse some of them. */
function makePod(random: Random): Fields {
  const spec = podSpec(random);
  const change = (container: unknown): Fields => changedContainer(random, container as Fields);
  return {
    metadata: {
      name: 'p',
      ...random.some({
        annotations: [
          0.3,
          () =>
            Object.fromEntries(
              random.list(1, 2, () => [random.pick(annotations), random.pick(profiles)]),
            ),
        ],
      }),
    },
    spec: {
      ...spec,
      containers: (spec['containers'] as readonly unknown[]).map(change),
      ...random.some({
        os: [0.15, () => ({ name: random.pick(['linux', 'windows']) })],
        hostUsers: [0.15, () => random.chance(0.3)],
        hostIPC: [0.05, () => true],
        ephemeralContainers: [0.15, () => [change({ name: 'debugger', image: 'busybox' })]],
        volumes: [
          0.2,
          () => [
            { name: 'a', flexVolume: { driver: 'b' } },
            { name: 'c' },
            { name: 'd', hostPath: { path: '/' } },
          ],
        ],
      }),
    },
  };
}

function changedContainer(random: Random, container: Fields): Fields {
  const security = container['securityContext'] as Fields | undefined;
  const changes = random.some({
    procMount: [0.15, () => 'Unmasked'],
    windowsOptions: [0.08, () => ({ hostProcess: random.chance(0.7) })],
    runAsUser: [0.2, () => random.pick([0, 1])],
    appArmorProfile: [0.1, () => ({ type: random.pick(['Unconfined', 'RuntimeDefault']) })],
    seccompProfile: [0.1, () => ({ type: random.pick(['Unconfined', 'RuntimeDefault']) })],
  });
  return {
    ...container,
    ...(Object.keys(changes).length > 0 ? { securityContext: { ...security, ...changes } } : {}),
    ...random.some({
      livenessProbe: [
        0.1,
        () => ({ tcpSocket: { port: 80, host: random.pick(['', 'b.example.com']) } }),
      ],
      startupProbe: [0.05, () => ({ httpGet: { port: 80, host: 'a.example.com' } })],
    }),
  };
}

const [count = '', seed = '', file = ''] = process.argv.slice(2);
const program = process.env['POD_SECURITY'] ?? '';
if (program === '' || file === '') {
  console.error(USAGE);
  process.exitCode = 2;
} else {
  const random = new Random(Number(seed));
  const cases = Array.from({ length: Number(count) }, () => {
    const minor = random.pick(versions);
    return {
      level: random.pick(levels),
      version: random.chance(0.2) ? 'latest' : `v1.${minor}`,
      pod: makePod(random),
    };
  });
  const input = cases.map((each) => `${JSON.stringify(each)}\n`).join('');
  const { stdout, stderr, status } = spawnSync(program, {
    input,
    maxBuffer: 2 ** 28,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  const answers = stdout.trimEnd().split('\n');
  const lines = cases.map((each, at) => {
    const violations = JSON.parse(answers[at] ?? '') as unknown;
    return `${JSON.stringify({ ...each, violations })}\n`;
  });
  writeFileSync(file, lines.join(''));
}
