import type { JsonObject } from '@kubeadmit/apimachinery';
import { type Random, words } from '@kubeadmit/random';
import { condition, fields } from './conditions.ts';

const patchScalars: readonly unknown[] = [
  ...[
    'b',
    'IfNotPresent',
    '{{ request.object.metadata.name }}',
    '{{ request.object.metadata.labels.team }}',
  ],
  ...["{{ request.object.metadata.labels.team || 'none' }}", '{{ request.operation }}'],
];

function patchAnchor(random: Random, key: string): string {
  return random.chance(0.45)
    ? random.pick([`+(${key})`, `+(${key})`, `(${key})`, `<(${key})`])
    : key;
}

function patchElement(random: Random): JsonObject {
  const made: Record<string, unknown> = {};
  const name = random.pick(['(name)', 'name', '(image)', '<(image)', undefined]);
  if (name !== undefined) made[name] = random.pick(['*', 'c', 'a', '?*', 'proxy.example/*', '!c']);
  const count = 1 + random.below(2);
  for (let at = 0; at < count; at++) {
    const key = random.pick(['imagePullPolicy', 'securityContext', 'resources', 'env']);
    switch (key) {
      case 'securityContext':
        made[patchAnchor(random, key)] = {
          [patchAnchor(random, 'privileged')]: random.pick([true, false]),
          ...(random.chance(0.3) ? { [patchAnchor(random, 'readOnlyRootFilesystem')]: true } : {}),
        };
        break;
      case 'resources':
        made[random.chance(0.5) ? key : `+(${key})`] = {
          [random.chance(0.5) ? 'limits' : '+(limits)']: {
            [patchAnchor(random, 'cpu')]: random.pick(['1', '500m']),
          },
        };
        break;
      case 'env':
        made[key] = [{ name: random.pick(['A', 'B']), value: random.pick(patchScalars) }];
        break;
      default:
        made[patchAnchor(random, key)] = random.pick(['Always', 'IfNotPresent']);
    }
  }
  return made;
}

function podPatch(random: Random): JsonObject {
  const made: Record<string, unknown> = {};
  if (random.chance(0.6)) {
    const spec: Record<string, unknown> = {};
    const count = 1 + random.below(2);
    for (let at = 0; at < count; at++) {
      const key = random.pick([
        ...['containers', 'containers', 'initContainers', 'hostNetwork', 'securityContext'],
        ...['imagePullSecrets', 'volumes', 'tolerations', 'nodeSelector', 'priority'],
      ]);
      switch (key) {
        case 'containers':
        case 'initContainers':
          spec[random.chance(0.85) ? key : random.pick([`+(${key})`, `(${key})`])] = [
            patchElement(random),
          ];
          break;
        case 'securityContext':
          spec[patchAnchor(random, key)] = {
            [patchAnchor(random, random.pick(['runAsUser', 'runAsNonRoot']))]: random.pick([
              true,
              0,
              1000,
              '>0',
            ]),
          };
          break;
        case 'imagePullSecrets':
          spec[random.chance(0.7) ? key : `+(${key})`] = [{ name: random.pick(['a', 'z']) }];
          break;
        case 'volumes':
          spec[random.chance(0.7) ? key : `+(${key})`] = [
            { name: random.pick(['a', 'z']), emptyDir: {} },
          ];
          break;
        case 'tolerations':
          spec[random.chance(0.7) ? key : `+(${key})`] = [{ key: 'z', operator: 'Exists' }];
          break;
        case 'nodeSelector':
          spec[patchAnchor(random, key)] = {
            [patchAnchor(random, 'disk')]: random.pick(['hdd', 'ssd', '?*']),
          };
          break;
        default:
          spec[patchAnchor(random, key)] = random.pick([true, false, 5]);
      }
    }
    made['spec'] = spec;
  }
  if (made['spec'] === undefined || random.chance(0.4)) {
    made['metadata'] = {
      [random.chance(0.8)
        ? random.pick(['labels', 'annotations'])
        : random.pick(['+(labels)', '(labels)'])]: random.chance(0.08)
        ? '{{ request.object.metadata.labels }}'
        : { [patchAnchor(random, random.pick(['team', 'new', 'k']))]: random.pick(patchScalars) },
    };
  }
  return made;
}

const patchedPaths = words(
  '/metadata/labels/team /metadata/annotations/k /metadata/annotations/new~1x',
  '/spec/securityContext/runAsUser /spec/nodeSelector/disk /spec/hostNetwork',
  '/spec/containers/0/imagePullPolicy /spec/containers/- /spec/containers/1/image',
  '/spec/volumes/- /spec/tolerations/0 /spec/imagePullSecrets/- /spec/imagePullSecrets/0',
  '/spec/containers/0/securityContext/privileged /spec/containers/0/env/-',
);

/** Values of JSON patches by a part of their path. */
const valuesByPath: readonly (readonly [part: string, value: unknown])[] = [
  ['containers/-', { name: 'z', image: 'z' }],
  ['volumes', { name: 'z', emptyDir: {} }],
  ['tolerations', { key: 'z', operator: 'Exists' }],
  ['PullSecrets', { name: 'z' }],
  ['env', { name: 'Z', value: 'z' }],
  ['runAsUser', 5],
  ['hostNetwork', true],
  ['privileged', true],
  ['PullPolicy', 'Always'],
];

function jsonPatch(random: Random): string {
  const operations = Array.from({ length: 1 + random.below(2) }, () => {
    const path = random.pick(patchedPaths);
    const known = valuesByPath.find(([part]) => path.includes(part));
    const value = known?.[1] ?? random.pick(['z', '{{ request.object.metadata.name }}']);
    const op = random.pick(['add', 'add', 'add', 'replace', 'remove', 'test']);
    return op === 'remove' ? { op, path } : { op, path, value };
  });
  return JSON.stringify(operations);
}

function loop(random: Random): JsonObject {
  const names = ['name', 'image', 'imagePullPolicy'];
  return {
    list: `request.object.spec.${random.pick(['containers', 'initContainers', 'volumes'])}`,
    ...random.some({
      preconditions: [0.4, () => ({ all: [condition(random, 'element', names)] })],
    }),
    ...(random.chance(0.7) ? elementMerge(random) : elementOperations(random)),
  };
}

function elementMerge(random: Random): JsonObject {
  const element = {
    [random.pick(['name', '(name)'])]: '{{ element.name }}',
    [patchAnchor(random, 'imagePullPolicy')]: 'Always',
  };
  return { patchStrategicMerge: { spec: { containers: [element] } } };
}

function elementOperations(random: Random): JsonObject {
  const field = random.pick(['imagePullPolicy', 'workingDir']);
  const path = `/spec/containers/{{elementIndex}}/${field}`;
  return { patchesJson6902: `[{"op":"add","path":"${path}","value":"Always"}]` };
}

/** A rule that changes pods. */
export function mutateRule(random: Random): JsonObject {
  const foreach = [loop(random)];
  const mutate = random.chance(0.7)
    ? { patchStrategicMerge: podPatch(random) }
    : random.chance(0.6)
      ? { patchesJson6902: jsonPatch(random) }
      : { foreach };
  const preconditions = random.some({
    preconditions: [0.2, () => ({ all: [condition(random, 'request.object', fields)] })],
  });
  return {
    name: 'mutate',
    match: { any: [{ resources: { kinds: ['Pod'], operations: ['CREATE'] } }] },
    ...preconditions,
    mutate,
  };
}
