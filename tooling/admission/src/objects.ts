import type { Random } from '@kubeadmit/random';
import type { Sample } from './data.ts';
import type { JsonObject } from './json-object.ts';
import { placesOf } from './places.ts';

/** An object of a sample's kind with random metadata, some of its fields changed, dropped or odd. */
export function randomObject(random: Random, sample: Sample): JsonObject {
  const object: JsonObject = structuredClone(sample.object);
  if (sample.object.metadata !== undefined) object['metadata'] = randomMetadata(random, sample);
  const spec = object['spec'] as JsonObject | undefined;
  if (spec !== undefined) {
    const template = (spec['template'] as JsonObject | undefined)?.['spec'] as JsonObject;
    for (const pod of [spec, template]) {
      if (pod?.['containers'] !== undefined) Object.assign(pod, randomPod(random));
    }
    if (typeof spec['replicas'] === 'number') spec['replicas'] = Math.floor(random.next() * 9);
  }
  const isCustom = sample.group === 'ex.com';
  if (random.chance(isCustom ? 0.5 : 0.3)) {
    for (const _ of random.list(1, isCustom ? 4 : 2, () => 0)) disturb(random, object, isCustom);
  }
  return object;
}

function randomMetadata(random: Random, { object }: Sample): JsonObject {
  const labels = (): JsonObject =>
    random.pick<JsonObject>([
      {},
      { app: 'web' },
      { app: 'web', team: 'a', 'x/y~z': '1' },
      { constructor: 'c', toString: 't', app: 'web' },
    ]);
  const metadata = {
    ...object.metadata,
    ...random.some({
      labels: [0.6, labels],
      annotations: [0.3, () => ({ a: 'b' })],
      finalizers: [0.1, () => ['a/b']],
      generateName: [0.1, () => 'web-'],
      creationTimestamp: [0.05, () => random.pick([null, '2024-01-01T00:00:00Z'])],
      ownerReferences: [0.05, () => [{ apiVersion: 'v1', kind: 'Pod', name: 'o', uid: 'u' }]],
    }),
  } as JsonObject;
  if ('generateName' in metadata && random.chance(0.5)) delete metadata['name'];
  return metadata;
}

// Changes one place: most often to something that its kind allows too.
function disturb(random: Random, object: JsonObject, isCustom: boolean): void {
  const kept = ['metadata', ...(isCustom || random.chance(0.9) ? ['apiVersion', 'kind'] : [])];
  const places = placesOf(object).filter(
    ({ path }) => path.length > 0 && !kept.includes(String(path[0])),
  );
  if (places.length === 0) return;
  const { path, value } = random.pick(places);
  const around = path.slice(0, -1).reduce<unknown>((inner, step) => {
    return (inner as Record<string | number, unknown>)[step];
  }, object) as Record<string | number, unknown>;
  const last = path.at(-1) as string | number;
  const set = (key: string | number, changed: unknown): void => {
    const descriptor = { value: changed, enumerable: true, writable: true, configurable: true };
    Object.defineProperty(around, key, descriptor);
  };
  random.pick([
    () => {
      if (typeof last === 'string') delete around[last];
    },
    () => set(last, Array.isArray(value) ? [] : typeof value === 'object' ? {} : value),
    () => set(last, typeof value === 'number' ? value + 1 : value),
    () => set(last, typeof value === 'string' ? `${value}y` : value),
    () => set(last, Array.isArray(value) ? [...value, ...value] : value),
    () => set(typeof last === 'string' ? 'unknown' : last, typeof last === 'string' ? 1 : value),
    () => set(last, random.chance(0.5) ? null : value),
    () => set(last, random.chance(0.1) ? random.pick([1, 'x', true, 1.5, [], {}]) : value),
  ])();
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
