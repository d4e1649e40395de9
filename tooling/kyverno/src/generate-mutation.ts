import { phrases, type Random, words } from '@kubeadmit/random';
import { type Made, resource } from './generate-resource.ts';
import { policy, ruleHead, surroundings, validateRule } from './generate-rules.ts';

function anchored(random: Random, key: string): string {
  return random.pick([
    key,
    key,
    key,
    key,
    `(${key})`,
    `+(${key})`,
    `+(${key})`,
    `<(${key})`,
    `=(${key})`,
  ]);
}

function containerPatch(random: Random): Made {
  const made: Made = {};
  if (random.chance(0.7))
    made[random.pick(['name', 'name', '(name)', '(name)', '<(name)'])] = random.pick(phrases`
      c0  c1  *  new  {{ element.name }}
    `);
  if (random.chance(0.5))
    made[random.pick(['image', '(image)', '(image)', '<(image)'])] = random.pick([
      '*:latest',
      'nginx*',
      'x:1',
      '!corp/*',
    ]);
  if (random.chance(0.5))
    made[anchored(random, 'imagePullPolicy')] = random.pick<unknown>([
      'Always',
      'IfNotPresent',
      null,
      5,
    ]);
  if (random.chance(0.3))
    made[anchored(random, 'securityContext')] = random.pick<unknown>([
      { '+(runAsNonRoot)': true },
      { privileged: false },
      {},
      { [anchored(random, 'runAsUser')]: 1000 },
      null,
    ]);
  if (random.chance(0.3))
    made['env'] = random.list(0, 2, () => ({
      name: random.pick(['A', 'B', 'C']),
      value: random.pick(['1', 'new']),
      ...(random.chance(0.1) && { $patch: 'delete' }),
    }));
  if (random.chance(0.3))
    made['ports'] = random.list(0, 2, () => ({
      ...(random.chance(0.9) && { containerPort: random.pick([80, 8080]) }),
      ...(random.chance(0.4) && { protocol: random.pick(['TCP', 'UDP']) }),
      ...(random.chance(0.4) && { name: 'web' }),
    }));
  if (random.chance(0.2)) made['args'] = random.list(0, 2, () => 'z');
  if (random.chance(0.2))
    made['resources'] = { [anchored(random, 'requests')]: { [anchored(random, 'memory')]: '1Gi' } };
  return made;
}

function podPatch(random: Random): Made {
  const made: Made = {};
  if (random.chance(0.6))
    made[random.pick(['containers', 'containers', 'containers', '(containers)', '+(containers)'])] =
      random.chance(0.95)
        ? Array.from({ length: 1 + (random.chance(0.2) ? 1 : 0) }, () => containerPatch(random))
        : random.pick<unknown>([[], 'x', {}]);
  if (random.chance(0.2)) made[anchored(random, 'initContainers')] = [containerPatch(random)];
  if (random.chance(0.3))
    made[anchored(random, 'volumes')] = random.list(0, 2, () =>
      random.pick<Made>([
        { name: 'v', emptyDir: {} },
        { name: 'n', emptyDir: { medium: 'Memory' } },
        { '(name)': 'v', hostPath: { path: '/y' } },
        { name: 'w', $patch: 'delete' },
        { $patch: 'replace' },
        { hostPath: { path: '/z' } },
      ]),
    );
  if (random.chance(0.2))
    made[anchored(random, 'hostNetwork')] = random.pick<unknown>([true, false, null, 'x']);
  if (random.chance(0.2))
    made[anchored(random, 'nodeSelector')] = random.pick<unknown>([
      { zone: 'a' },
      { disk: null },
      { '+(disk)': 'hdd' },
      { $patch: 'replace', a: 'b' },
    ]);
  if (random.chance(0.2)) made[anchored(random, 'tolerations')] = [{ key: 'z' }];
  if (random.chance(0.2)) made['imagePullSecrets'] = [{ name: 'reg' }];
  if (random.chance(0.1)) made['replicas'] = random.pick<unknown>([5, '5', true]);
  return made;
}

function merge(random: Random): Made {
  const made: Made = {};
  if (random.chance(0.6))
    made['metadata'] = {
      [anchored(random, 'labels')]: {
        [anchored(random, 'app')]: random.pick<unknown>(['new', 'web', null, 5]),
        [anchored(random, 'extra')]: '{{ request.operation }}',
      },
      ...(random.chance(0.3) && {
        [anchored(random, 'annotations')]: { 'corp/a': '2', [anchored(random, 'note')]: 'x' },
      }),
      ...(random.chance(0.1) && { finalizers: ['f/x'] }),
      ...(random.chance(0.1) && { '(name)': random.pick(['web*', '?*']) }),
    };
  if (random.chance(0.6))
    made[random.pick(['spec', 'spec', 'spec', '(spec)', '+(spec)'])] = random.chance(0.2)
      ? { template: { spec: podPatch(random), metadata: { labels: { '+(t)': '1' } } } }
      : podPatch(random);
  if (random.chance(0.1)) made['data'] = { '+(k)': 'n', j: null, z: '{{ missing }}' };
  if (random.chance(0.03)) made['$patch'] = random.pick(['merge', 'replace', 'odd']);
  return made;
}

function jsonPatch(random: Random): string {
  const paths = [
    ...words(
      '/metadata/labels/x /metadata/labels/app /spec/containers/0/image /spec/containers/-',
      '/spec/containers/1 /spec/tolerations/-1 /spec/tolerations/- /spec/nodeSelector',
      '/spec/nodeSelector/a~1b /metadata/annotations/q /spec/nope/deep/0/x /spec/containers/9',
      '/spec/containers/-5 /spec/replicas /data/k /kind /metadata/name/x',
    ),
    '',
    ...words('/ bad /spec/containers/x /spec/containers/{{elementIndex}}/image'),
  ];
  const operations = Array.from({ length: 1 + random.below(2) }, () => ({
    op: random.pick(['add', 'add', 'add', 'replace', 'remove', 'test', 'copy', 'move', 'odd']),
    path: random.pick(paths),
    ...(random.chance(0.9) && {
      value: random.pick<unknown>([
        'v',
        5,
        1.5,
        true,
        null,
        { a: 1 },
        ['x'],
        'nginx',
        'y',
        '{{ request.object.metadata.name }}',
      ]),
    }),
    ...(random.chance(0.5) && { from: random.pick(paths) }),
  }));
  if (random.chance(0.5)) return JSON.stringify(operations);
  if (random.chance(0.05)) return random.pick(['x', '[', '- 5', '{}', '']);
  return operations
    .map((operation) =>
      Object.entries(operation)
        .map(
          ([key, value], at) =>
            `${at === 0 ? '- ' : '  '}${key}: ${key === 'value' && value === 'y' ? 'y' : JSON.stringify(value)}`,
        )
        .join('\n'),
    )
    .join('\n');
}

function loop(random: Random, depth: number): Made {
  const made: Made = {
    list: random.pick(
      words(
        'request.object.spec.containers request.object.spec.containers',
        'request.object.spec.template.spec.containers request.object.spec.nope element.env',
        '`["a","b"]` request.object.spec.containers[].name',
      ),
    ),
  };
  if (random.chance(0.2)) made['order'] = random.pick(['Ascending', 'Descending']);
  if (random.chance(0.2))
    made['preconditions'] = {
      all: [{ key: '{{ element.name }}', operator: 'NotEquals', value: 'c0' }],
    };
  if (random.chance(0.1))
    made['context'] = [{ name: 'v', variable: { value: '{{ element.name }}' } }];
  const kind = random.below(depth > 0 ? 5 : 4);
  if (kind < 2)
    made['patchStrategicMerge'] = {
      spec: {
        containers: [
          {
            '(name)': '{{ element.name }}',
            '+(imagePullPolicy)': 'Never',
            env: [{ name: 'I', value: '{{ elementIndex }}' }],
          },
        ],
      },
    };
  else if (kind < 3)
    made['patchesJson6902'] =
      `- op: ${random.pick(['add', 'replace'])}\n  path: /spec/containers/{{elementIndex}}/image\n  value: new-{{ element.name }}`;
  else if (kind < 4) made['patchesJson6902'] = jsonPatch(random);
  else made['foreach'] = [loop(random, 0)];
  return made;
}

function mutateRule(random: Random, at: number, rich: boolean): Made {
  const kind = random.below(10);
  const mutate: Made =
    kind < 5
      ? { patchStrategicMerge: merge(random) }
      : kind < 8
        ? { patchesJson6902: jsonPatch(random) }
        : { foreach: Array.from({ length: 1 + random.below(2) }, () => loop(random, 1)) };
  if (random.chance(0.03)) mutate['targets'] = [{ apiVersion: 'v1', kind: 'Pod', name: 'x' }];
  const head = ruleHead(random, at, rich);
  if (random.chance(0.8))
    head['match'] = {
      any: [{ resources: { kinds: [random.pick(['*', 'Pod', 'Pod', 'Deployment'])] } }],
    };
  return { ...head, mutate };
}

/** A random case for `rules` with mutate rules and now and then validate rules after them. */
export function generateMutation(random: Random): object {
  return {
    policies: Array.from({ length: 1 + random.below(2) }, (_, at) =>
      policy(random, at, at === 1 && random.chance(0.4) ? validateRule : mutateRule),
    ),
    resource: resource(random),
    ...surroundings(random),
  };
}
