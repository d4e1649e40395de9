import type { Sample } from './data.ts';
import type { JsonObject, Random } from './random.ts';

/** An object of a sample's kind with random metadata and, where it has a pod, a random pod. */
export function randomObject(random: Random, sample: Sample): JsonObject {
  const object = structuredClone(sample.object) as JsonObject;
  object['metadata'] = {
    ...sample.object.metadata,
    ...random.some({
      labels: [
        0.6,
        () => random.pick([{}, { app: 'web' }, { app: 'web', team: 'a', 'x/y~z': '1' }]),
      ],
      annotations: [0.3, () => ({ a: 'b' })],
      finalizers: [0.1, () => ['a/b']],
    }),
  };
  const spec = object['spec'] as JsonObject | undefined;
  if (spec === undefined) return object;
  const template = (spec['template'] as JsonObject | undefined)?.['spec'] as JsonObject | undefined;
  for (const pod of [spec, template]) {
    if (pod?.['containers'] !== undefined) Object.assign(pod, randomPod(random));
  }
  if (typeof spec['replicas'] === 'number') spec['replicas'] = Math.floor(random.next() * 9);
  if (sample.object.kind === 'Gadget') dropSome(random, spec);
  return object;
}

function dropSome(random: Random, spec: JsonObject): void {
  for (const key of Object.keys(spec)) {
    if (random.chance(0.3)) delete spec[key];
  }
  if (random.chance(0.3)) spec['unknown'] = 1;
}

function randomPod(random: Random): JsonObject {
  return {
    containers: random.list(1, 3, (index) => randomContainer(random, `c${index}`)),
    ...random.some({
      hostNetwork: [0.2, () => random.pick([true, false])],
      volumes: [0.2, () => [{ name: 'v', emptyDir: {} }]],
      initContainers: [0.2, () => [randomContainer(random, 'i')]],
      tolerations: [0.2, () => [{ key: 'a', operator: 'Exists' }]],
      nodeSelector: [0.2, () => ({ a: 'b' })],
    }),
  };
}

const images = ['nginx:1.2', 'nginx', 'nginx:latest', 'reg.io/a/b:1', 'docker.io/x@sha256:abc'];

function randomContainer(random: Random, name: string): JsonObject {
  return {
    name,
    image: random.pick(images),
    ...random.some({
      resources: [
        0.4,
        () =>
          random.pick([{}, { limits: { cpu: 2, memory: '1.5Gi' } }, { requests: { cpu: '100m' } }]),
      ],
      securityContext: [
        0.3,
        () => random.pick([{ privileged: true }, { capabilities: { drop: ['ALL'] } }]),
      ],
      args: [0.2, () => ['a', 'b']],
      env: [
        0.3,
        () => [
          { name: 'A', value: '1' },
          { name: 'B', value: '' },
        ],
      ],
      ports: [0.3, () => [{ containerPort: 80 }, { containerPort: 80, protocol: 'UDP' }]],
    }),
  };
}
