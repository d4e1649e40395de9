import { phrases, type Random, words } from '@kubeadmit/random';
import type { Made } from './generate-resource.ts';
import { policyCase } from './generate-rules.ts';

const operators = [
  ...['Equals', 'NotEquals', 'AnyIn', 'AllIn', 'AnyNotIn', 'AllNotIn', 'In', 'NotIn'],
  ...['GreaterThan', 'GreaterThanOrEquals', 'LessThan', 'LessThanOrEquals'],
  ...['DurationGreaterThan', 'DurationGreaterThanOrEquals', 'DurationLessThan'],
  ...['DurationLessThanOrEquals'],
];

/** The expressions of context variables: numbers, strings, durations, quantities, versions, lists and maps. */
const computed = [
  ...phrases`
    length(request.object.spec.containers)  request.object.spec.containers[].image
    request.object.spec.containers[0].image | split(@, ':') | [1]  request.object.metadata
    request.object.metadata.labels  request.object.metadata.labels.app  request.operation
  `,
  ...['sum(request.object.spec.containers[].resources.requests.memory || `[]`)'],
  ...['keys(@)', "add('1Gi', '512Mi')", "divide('10', '4')", "multiply('1h', `2`)"],
  ...phrases`subtract('1h', '90m')  modulo('10', '3')  to_number('7')  to_boolean('TRUE')`,
  "truncate('abcdef', `3`)",
  ...phrases`
    semver_compare('1.2.3', '>=1.0.0')  time_diff('2024-01-01T00:00:00Z', '2024-01-02T00:00:00Z')
    time_add('2024-01-01T00:00:00Z', '36h')  time_parse('1136239445', '1136239445')
    parse_json('{"a": [1, "x"]}')  parse_yaml('a: 1.0')  parse_json('[')  items(o, 'k', 'v')
    lookup(o, 'a')
  `,
  ...['lookup(l, `0`)', 'object_from_lists(l, l)', 'zip(l, l)', 'merge(o, {z: `1`})'],
  ...phrases`
    regex_match('^web', request.object.metadata.name)
    label_match(o, request.object.metadata.labels)
    pattern_match('web*', request.object.metadata.name)  replace_all('a-b-c', '-', '.')
  `,
  'round(`2.675`, `2`)',
  ...phrases`
    sort(l)  max(l)  join(', ', l)  reverse(l)  not_null(nope, l)  base64_decode('YWJj')
    to_upper('é')  path_canonicalize('/a/../b//')  images  serviceAccountName
    image_normalize('nginx')  l[?contains(@, 'a')]  o.a  o.nope.x  to_string(o)  request.userInfo
    request.object.spec.nope  nope  time_since('', '2024-01-01T00:00:00Z', '2024-01-01T01:00:00Z')
  `,
];

const compared: readonly unknown[] = [
  ...words('web web* * ?*'),
  '',
  ...phrases`
    1  2  1.5  1Gi  1536Mi  1h  60m  2h  -30m  36h  1.2.3  1.10.0  v1.2  1-3  1!-3  1Gi-2Gi
    10m-2h  >1  <=5  !web  a | b  true  null  ["a","b"]  {{ v0 }}  {{ v1 }}  {{ v0 }}-{{ v1 }}
    {{ nope }}  {{ request.object.metadata.name }}  {{ nope || '' }}  {{ l }}  {{ o.a }}  {{v1.a}}
  `,
  ...[0, 1, 2, 1.5, -1, 3600, true, false, null, [], ['a'], ['web', 'x*'], [1, 2]],
  ...[['{{ v0 }}', 'b'], { a: 1 }, {}, { a: '{{ v0 }}' }, [[1]], ['1-3', '>5']],
  ...[['!web', '?*'], 2147483648, '9999999999h'],
];

function condition(random: Random): Made {
  const variable = random.pick(['v0', 'v1', 'v2', 'v0', 'v1']);
  const key = random.pick<unknown>([
    `{{ ${variable} }}`,
    `{{ ${variable} }}`,
    `{{ ${variable} }}`,
    `{{ ${random.pick(computed)} }}`,
    `{{ ${variable} || 'none' }}`,
    `{{ to_string(${variable}) }}`,
    `x-{{ ${variable} }}`,
    [`{{ ${variable} }}`, 'a'],
    random.pick(compared),
  ]);
  return {
    key,
    operator: random.pick(operators),
    value: random.pick(compared),
    ...(random.chance(0.3) && { message: random.pick(['m', 'm {{ v0 }}', '{{ nope }}', '']) }),
  };
}

function block(random: Random): unknown {
  if (random.chance(0.2)) return random.list(1, 2, () => condition(random));
  return random.some({
    any: [0.7, () => random.list(0, 2, () => condition(random))],
    all: [0.7, () => random.list(0, 2, () => condition(random))],
  });
}

function variable(random: Random, name: string): Made {
  const fallback = random.pick<unknown>([
    'd',
    1,
    null,
    [],
    {},
    '{{ l }}',
    '1Gi',
    false,
    '{{ nope }}',
  ]);
  return {
    name,
    variable: random.pick<() => Made>([
      () => ({ jmesPath: random.pick(computed) }),
      () => ({ jmesPath: random.pick(computed) }),
      () => ({ jmesPath: random.pick(computed), default: fallback }),
      () => ({ jmesPath: random.pick(computed), default: fallback }),
      () => ({ value: `{{ ${random.pick(computed)} }}` }),
      () => ({ value: { a: `{{ ${random.pick(computed)} }}`, b: [1, '{{ l }}'] } }),
      () => ({ value: { a: { b: 1 } }, jmesPath: random.pick(['a.b', 'a', 'c', 'keys(@)']) }),
      () => ({ value: `x-{{ ${random.pick(['v0', 'v1', 'o.a'])} }}`, default: fallback }),
    ])(),
  };
}

function surrounding(random: Random): Made[] {
  return [
    { name: 'l', variable: { value: random.pick<unknown>([['a', 'b'], [1, 3, 2], [], ['1h']]) } },
    { name: 'o', variable: { value: random.pick<unknown>([{ a: 'x' }, { a: 1, b: [2] }, {}]) } },
    ...random.list(1, 3, (at) => variable(random, `v${at}`)),
    ...(random.chance(0.1) ? [variable(random, 'v0')] : []),
    ...(random.chance(0.1)
      ? [
          random.pick<Made>([
            { name: 'v1', apiCall: { urlPath: '/api/v1/pods', jmesPath: 'items' } },
            { name: 'v1', apiCall: { urlPath: '/x', default: { a: 1 } } },
            { name: 'v1', globalReference: { name: 'g', jmesPath: 'a' } },
            { name: 'v1', configMap: { name: 'settings', namespace: 'default' } },
          ]),
        ]
      : []),
  ];
}

/** A case for `rules` whose conditions compare the results of context variables with values of every type. */
export function generateContexts(random: Random): object {
  const rule = (at: number): Made => ({
    name: `r${at}`,
    match: { any: [{ resources: { kinds: [random.pick(['*', 'Pod', 'Deployment'])] } }] },
    context: surrounding(random),
    ...(random.chance(0.5) && { preconditions: block(random) }),
    ...random.pick<() => Made>([
      () => ({
        validate: {
          message: random.pick(['no {{ v0 }}', '{{ v1.a }}', 'plain', 'no {{ to_string(v0) }}']),
          deny: { conditions: block(random) },
        },
      }),
      () => ({
        validate: {
          message: random.pick(['no {{ v0 }}', 'plain']),
          pattern: {
            metadata: {
              [random.pick(['name', '=(name)', '(name)', '^(labels)', 'X(labels)', 'labels'])]:
                random.pick<unknown>(['{{ v0 }}', '{{ v1 }}', '?*', { app: '{{ v0 }}' }]),
            },
          },
        },
      }),
      () => ({
        mutate: {
          patchStrategicMerge: {
            metadata: {
              labels: {
                [random.pick(['a', '+(a)', '{{ v0 }}'])]: random.pick(['{{ v0 }}', '{{ v1 }}']),
              },
              annotations: { b: random.pick(['x{{ v1 }}', '{{ to_string(v0) }}', '{{ v2 }}']) },
            },
          },
        },
      }),
      () => ({
        mutate: {
          patchesJson6902: `- op: ${random.pick(['add', 'replace', 'test', 'remove'])}\n  path: ${random.pick(['/metadata/labels/a', '/metadata/annotations/{{ v0 }}', '/spec/x'])}\n  value: ${random.pick(["'{{ v0 }}'", "'x-{{ v1 }}'", '{a: "{{ v0 }}"}'])}`,
        },
      }),
    ])(),
  });
  return policyCase(random, random.list(1, 2, rule));
}
