import { phrases, type Random, words } from '@kubeadmit/random';

/** A part of a case. */
export type Made = Record<string, unknown>;

const images = [
  ...words('nginx nginx:latest nginx:1.2 gcr.io/x/app:v1'),
  ...[`docker.io/a@sha256:${'b'.repeat(64)}`, 'corp/app:1', 'a:b:c', 'busybox'],
];
export const names = ['web', 'web-1', 'db', 'prod-x', 'a'];
export const namespaces = ['default', 'prod', 'dev'];
const labelValues = ['web', 'x', 'red', 'blue', ''];
export const texts = [
  ...phrases`web*  *  ?*  !web  web | db  >1  <10  1-5  10!-20  5  1Gi  <=512Mi  true`,
  '',
  ...phrases`!*:latest  *:latest  nginx*  8080  80??  1h  >30m  red & !blue`,
];

function container(random: Random, at: number): Made {
  const made: Made = { name: random.chance(0.95) ? `c${at}` : 'c0', image: random.pick(images) };
  if (random.chance(0.4))
    made['imagePullPolicy'] = random.pick(['Always', 'Never', 'IfNotPresent']);
  if (random.chance(0.4))
    made['resources'] = {
      requests: { memory: random.pick(['1Gi', '512Mi', '64Mi']), cpu: random.pick(['1', '500m']) },
    };
  if (random.chance(0.3))
    made['securityContext'] = {
      privileged: random.chance(0.5),
      runAsUser: random.pick([0, 1000, 65534]),
    };
  if (random.chance(0.3))
    made['ports'] = random.list(0, 2, () => ({
      containerPort: random.pick([80, 8080, 443]),
      ...(random.chance(0.3) && { protocol: random.pick(['TCP', 'UDP']) }),
      ...(random.chance(0.3) && { name: 'p' }),
    }));
  if (random.chance(0.3))
    made['env'] = random.list(0, 2, () => ({
      name: random.pick(['A', 'B']),
      value: random.pick(['1', 'x']),
    }));
  if (random.chance(0.2)) made['args'] = random.list(0, 3, () => random.pick(['a', 'b', '--x']));
  return made;
}

function podSpec(random: Random): Made {
  const made: Made = {
    containers: Array.from({ length: 1 + random.below(3) }, (_, at) => container(random, at)),
  };
  if (random.chance(0.05)) made['containers'] = [];
  if (random.chance(0.2)) made['initContainers'] = [container(random, 9)];
  if (random.chance(0.3))
    made['volumes'] = random.list(0, 2, () => ({
      name: random.pick(['v', 'w']),
      ...(random.chance(0.5) ? { hostPath: { path: '/x' } } : { emptyDir: {} }),
    }));
  if (random.chance(0.3)) made['hostNetwork'] = random.chance(0.5);
  if (random.chance(0.2)) made['replicas'] = random.pick([0, 1, 3, 8080]);
  if (random.chance(0.2)) made['tolerations'] = [{ key: 'k', operator: 'Exists' }];
  if (random.chance(0.2)) made['nodeSelector'] = { disk: 'ssd' };
  return made;
}

function metadata(random: Random): Made {
  const made: Made = { name: random.pick(names) };
  if (random.chance(0.7)) made['namespace'] = random.pick(namespaces);
  if (random.chance(0.7))
    made['labels'] = {
      app: random.pick(labelValues),
      ...(random.chance(0.5) && { color: random.pick(labelValues) }),
      ...(random.chance(0.2) && { 'corp/x': '1' }),
    };
  if (random.chance(0.4))
    made['annotations'] = {
      note: random.pick(labelValues),
      ...(random.chance(0.4) && { 'corp/a': '1' }),
    };
  if (random.chance(0.05)) {
    delete made['name'];
    made['generateName'] = 'web-';
  }
  return made;
}

/** A policy for the whole cluster. */
export function clusterPolicy(name: string, spec: Made): Made {
  return { apiVersion: 'kyverno.io/v1', kind: 'ClusterPolicy', metadata: { name }, spec };
}

export function resource(random: Random): Made {
  const kind = random.below(10);
  if (kind < 5)
    return { apiVersion: 'v1', kind: 'Pod', metadata: metadata(random), spec: podSpec(random) };
  if (kind < 7)
    return {
      apiVersion: 'apps/v1',
      kind: random.pick(['Deployment', 'DaemonSet', 'StatefulSet']),
      metadata: metadata(random),
      spec: {
        replicas: random.pick([1, 3, 10]),
        template: { metadata: { labels: { app: 'web' } }, spec: podSpec(random) },
      },
    };
  if (kind === 7)
    return {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: metadata(random),
      spec: { jobTemplate: { spec: { template: { metadata: {}, spec: podSpec(random) } } } },
    };
  if (kind === 8)
    return {
      apiVersion: 'v1',
      kind: random.pick(['ConfigMap', 'Secret']),
      metadata: metadata(random),
      data: { k: random.pick(texts), ...(random.chance(0.5) && { j: 'y' }) },
    };
  return random.pick<Made>([
    {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: random.pick(namespaces), labels: { team: 'a' } },
    },
    {
      apiVersion: 'corp.io/v1',
      kind: 'Widget',
      metadata: metadata(random),
      spec: {
        items: [
          { name: 'a', size: 1.5 },
          { name: 'b', size: 2 },
        ],
        on: true,
      },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: metadata(random),
      spec: { type: 'NodePort', ports: [{ port: 80, targetPort: 8080 }, { port: 443 }] },
    },
  ]);
}
