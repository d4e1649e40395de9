import type { JsonObject } from '@kubeadmit/apimachinery';
import type { Random } from '@kubeadmit/random';

// Rules whose patches take every form that Kyverno reads, and some that it does not.

const created = { any: [{ resources: { kinds: ['Pod'], operations: ['CREATE'] } }] };
const patchPaths: readonly (readonly [path: string, value: unknown])[] = [
  ['/metadata/labels/a', 'z'],
  ['/metadata/annotations/k', '5'],
  ['/metadata/labels/team', '{{ request.object.metadata.name }}'],
  ['/metadata/annotations/new', '{{ request.object.metadata.labels.team }}'],
  ['/spec/priority', 7],
  ['/spec/hostNetwork', true],
  ['/spec/nodeSelector/{{ request.object.metadata.name }}', 'z'],
];

/** A rule with a JSON patch as JSON, as YAML, and as what only looks like one of them. */
export function patchTextRule(random: Random): JsonObject {
  const operations = Array.from({ length: 1 + random.below(2) }, () => {
    const [path, value] = random.pick(patchPaths);
    const op = random.pick(['add', 'add', 'add', 'replace', 'remove', 'put']);
    return op === 'remove' || random.chance(0.08) ? { op, path } : { op, path, value };
  });
  const mutate = { patchesJson6902: patchText(random, operations) };
  return { name: 'text', match: created, mutate };
}

function patchText(random: Random, operations: readonly JsonObject[]): string {
  const quoted = (value: unknown): string => JSON.stringify(value);
  const plain = (value: unknown): string => (typeof value === 'string' ? value : quoted(value));
  const flow = (write: (value: unknown) => string): string =>
    operations
      .map((each) => Object.entries(each).map(([key, value]) => `${key}: ${write(value)}`))
      .map((members) => `{${members.join(', ')}}`)
      .join(random.pick([',', ', ', ',\n']));
  return random.pick([
    () => quoted(operations),
    () => JSON.stringify(operations, null, 2),
    () => ` ${quoted(operations)}`,
    () => `[${flow(quoted)}]`,
    () => `[${flow(plain)}]`,
    () => operations.map((each) => `- ${quoted(each)}`).join('\n'),
    () => blockText(operations, quoted),
    () => blockText(operations, plain),
    () => quoted(operations).replace(/}]$/, '},]'),
    () => flow(quoted),
  ])();
}

function blockText(operations: readonly JsonObject[], write: (value: unknown) => string): string {
  return operations
    .map((each) => {
      const lines = Object.entries(each).map(([key, value]) => `${key}: ${write(value)}`);
      return `- ${lines.join('\n  ')}`;
    })
    .join('\n');
}

/** A rule that adds lists and maps with anchors at any depth. */
export function additionRule(random: Random): JsonObject {
  const key = (name: string, weight = 0.4): string =>
    random.chance(weight) ? random.pick([`+(${name})`, `+(${name})`, `(${name})`]) : name;
  const added = (name: string): string => (random.chance(0.6) ? `+(${name})` : name);
  const container = (name: string): JsonObject => ({
    [key('name', 0.3)]: name,
    image: random.pick(['z', 'a']),
    ...random.some({
      [key('imagePullPolicy')]: [0.5, () => 'Always'],
      [key('securityContext', 0.2)]: [0.4, () => ({ [key('privileged')]: true })],
      [added('env')]: [
        0.4,
        () => [
          { name: 'A', [key('value', 0.3)]: 'b' },
          { name: 'B', value: 'b' },
        ],
      ],
    }),
  });
  const containers = (): unknown => {
    const first = container(random.pick(['c', 'i', 'z']));
    return random.chance(0.4) ? [first, container('y')] : [first];
  };
  const spec = random.some({
    [added('initContainers')]: [0.5, containers],
    [added('containers')]: [0.4, containers],
    [added('tolerations')]: [0.3, () => [{ [key('key')]: 'z', operator: 'Exists' }]],
    [added('imagePullSecrets')]: [0.3, () => [{ [key('name', 0.3)]: 'z' }, { name: 'y' }]],
    [added('volumes')]: [0.3, () => [{ name: 'z', [key('emptyDir', 0.3)]: {} }]],
    [added('securityContext')]: [
      0.4,
      () => ({
        [key('runAsUser')]: 5,
        ...random.some({
          sysctls: [
            0.5,
            () => [
              { name: 'kernel.a', [key('value')]: 'b' },
              { name: 'kernel.c', value: 'd' },
            ],
          ],
        }),
      }),
    ],
  });
  const labels = { [added('labels')]: { [key('a')]: 'b' } };
  return {
    name: 'additions',
    match: created,
    mutate: {
      patchStrategicMerge: { metadata: labels, ...(Object.keys(spec).length > 0 ? { spec } : {}) },
    },
  };
}
