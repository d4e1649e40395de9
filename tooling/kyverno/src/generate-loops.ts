import { phrases, type Random, words } from '@kubeadmit/random';
import { type Made, resource } from './generate-resource.ts';
import { policyCase, surroundings } from './generate-rules.ts';

const lists = [
  'request.object.spec.containers',
  'request.object.spec.containers',
  'request.object.spec.template.spec.containers',
  'request.object.spec.[containers, initContainers][]',
  'request.object.spec.containers[?name]',
  'request.object.spec.containers[].{n: name, i: image}',
  "items(request.object.metadata.labels || `{}`, 'key', 'value')",
  'request.object.spec.volumes || `[]`',
  '`["a","b"]`',
  '`[1, 2.5, null]`',
  '`{"a": 1}`',
  "'text'",
  'lst',
  'request.object.spec.nope',
  'request.object.metadata.labels',
];
const innerLists = [
  ...words('element.env element.ports element.args element0.env'),
  ...['element.env || `[]`', 'element[]', 'element.nope || `[]`', 'lst', '`[0, 1]`'],
  ...['element1.x', 'range(`0`, `2`)'],
];
const values = [
  ...phrases`{{ element }}  {{ element.name }}  {{ elementIndex }}  {{ element0.name }}`,
  '{{ element1.name || `none` }}',
  ...phrases`
    {{ elementIndex0 }}-{{ elementIndex1 }}  {{ element2 }}  {{ v }}  {{ w }}  {{ v.a }}
    {{ to_string(element) }}  {{ length(element) }}
    {{ request.object.metadata.name }}-{{ elementIndex }}  x  {{ element."name" }}
    {{ element.{{ key }} }}  {{ element.image | split(@, ':') | [0] }}
    {{ images.containers."{{ element.name }}".registry }}  {{ {a: element.name}.a }}
    {{ element.value || element.key }}
  `,
];

function variable(random: Random, name: string): Made {
  return {
    name,
    variable: random.pick<Made>([
      { value: '{{ element.name }}' },
      { value: '{{ elementIndex }}' },
      { jmesPath: 'element.name', default: 'd' },
      { jmesPath: 'element.nope' },
      { jmesPath: 'element', default: {} },
      { value: { a: '{{ element.name }}', b: ['{{ elementIndex }}'] } },
      { value: { a: { b: 1 } }, jmesPath: 'a.b' },
      { jmesPath: 'v', default: 'no v' },
      { jmesPath: 'w', default: 'no w' },
      { value: '{{ v }}{{ v }}' },
      { jmesPath: 'request.object.metadata.labels | keys(@) | sort(@)', default: [] },
      { jmesPath: 'element0.name || `x`' },
    ]),
  };
}

function condition(random: Random): Made {
  return {
    key: random.pick(values),
    operator: random.pick([
      ...['Equals', 'NotEquals', 'AnyIn', 'AllNotIn', 'GreaterThan', 'AnyNotIn', 'AllIn'],
    ]),
    value: random.pick<unknown>([
      'c0',
      'c1',
      0,
      1,
      ['c0', 'x'],
      '*',
      '{{ v }}',
      'a',
      [0, 1],
      '>0',
      '',
    ]),
    ...(random.chance(0.3) && { message: random.pick(['m {{ element.name }}', 'plain', '']) }),
  };
}

function block(random: Random): Made {
  return {
    ...(random.chance(0.7) && { any: random.list(0, 2, () => condition(random)) }),
    ...(random.chance(0.7) && { all: random.list(0, 2, () => condition(random)) }),
  };
}

function head(random: Random, depth: number): Made {
  return {
    list: random.pick(depth === 0 ? lists : random.chance(0.8) ? innerLists : lists),
    ...(random.chance(0.35) && { preconditions: block(random) }),
    ...(random.chance(0.4) && {
      context: random.list(1, 2, (at) =>
        variable(random, at === 0 ? 'v' : random.pick(['w', 'v'])),
      ),
    }),
  };
}

function validateLoop(random: Random, depth: number): Made {
  const made = head(random, depth);
  if (random.chance(0.2)) made['elementScope'] = random.chance(0.5);
  if (depth < 2 && random.chance(0.45)) {
    made['foreach'] = random.list(1, 2, () => validateLoop(random, depth + 1));
    return made;
  }
  return {
    ...made,
    ...random.pick<() => Made>([
      () => ({ deny: { conditions: random.chance(0.8) ? block(random) : [condition(random)] } }),
      () => ({
        pattern: {
          [random.pick(['name', '(name)', '=(name)', '^(ports)', 'X(args)'])]:
            random.pick<unknown>(values),
        },
      }),
      () => ({ pattern: { image: random.pick(['*', '!*:latest', '{{ v }}', '$(./../name)']) } }),
      () => ({ pattern: random.pick<unknown>(['{{ element }}', '?*', 'a']) }),
      () => ({ anyPattern: [{ name: random.pick(values) }, { image: '*:latest' }] }),
    ])(),
  };
}

function mutateLoop(random: Random, depth: number): Made {
  const made = head(random, depth);
  if (random.chance(0.4)) made['order'] = random.pick(['Ascending', 'Descending']);
  if (depth < 2 && random.chance(0.4)) {
    made['foreach'] = random.list(1, 2, () => mutateLoop(random, depth + 1));
    return made;
  }
  const paths = [
    '/spec/containers/{{elementIndex}}/image',
    '/spec/containers/{{elementIndex0}}/env/-',
    '/spec/containers/{{elementIndex0}}/env/{{elementIndex1}}/value',
    '/metadata/labels/l{{elementIndex}}',
    '/metadata/annotations/{{ element.name }}',
    '/spec/containers/{{elementIndex}}',
    '/spec/tolerations/-',
  ];
  const operation = (): string => {
    const op = random.pick(['add', 'add', 'replace', 'remove', 'test', 'copy']);
    const value = random.chance(0.8)
      ? `\n  value: ${JSON.stringify(random.pick(values))}`
      : '\n  value: {a: 1}';
    const from = op === 'copy' ? `\n  from: ${JSON.stringify(random.pick(paths))}` : '';
    return `- op: ${op}\n  path: ${JSON.stringify(random.pick(paths))}${from}${value}`;
  };
  return {
    ...made,
    ...(random.chance(0.5)
      ? { patchesJson6902: random.list(1, 2, operation).join('\n') }
      : {
          patchStrategicMerge: random.pick<() => Made>([
            () => ({
              metadata: {
                labels: {
                  [random.pick(['l', '+(l)', '{{ element.name }}', 'i{{elementIndex}}'])]:
                    random.pick(values),
                },
              },
            }),
            () => ({
              spec: { containers: [{ '(name)': random.pick(values), imagePullPolicy: 'Always' }] },
            }),
            () => ({
              spec: { containers: [{ name: random.pick(values), image: random.pick(values) }] },
            }),
            () => ({ spec: { '+(nodeSelector)': { a: random.pick(values) } } }),
            () => ({
              spec: {
                containers: [{ '(image)': '*:latest', '+(command)': ['{{ element.name }}'] }],
              },
            }),
          ])(),
        }),
  };
}

/** Returns a case for `rules` with nested loops that have separate contexts, conditions and orders. */
export function generateLoops(random: Random): object {
  const rule = (at: number): Made => ({
    name: `r${at}`,
    match: { any: [{ resources: { kinds: [random.pick(['*', 'Pod', 'Pod', 'Deployment'])] } }] },
    context: [
      {
        name: 'lst',
        variable: {
          value: random.pick<unknown>([['p', 'q'], [], [{ name: 'n' }], [['x'], ['y', 'z']]]),
        },
      },
      { name: 'key', variable: { value: random.pick(['name', 'image', 'nope']) } },
      ...(random.chance(0.4) ? [variable(random, 'v')] : []),
    ],
    ...(random.chance(0.5)
      ? {
          validate: {
            message: random.pick(['no {{ element.name }}', 'no {{ v }}', 'plain', '']),
            foreach: random.list(1, 2, () => validateLoop(random, 0)),
          },
        }
      : { mutate: { foreach: random.list(1, 2, () => mutateLoop(random, 0)) } }),
  });
  return policyCase(random, random.list(1, 2, rule));
}

const celTexts = phrases`
  object.metadata.name.startsWith("web")
  has(object.metadata.labels) && object.metadata.labels.app == "web"
  object.spec.containers.all(c, !c.image.endsWith(":latest"))  object.spec.replicas < 5
  variables.n > 1  variables.bad == 1  request.operation == "CREATE"  oldObject == null
  namespaceObject.metadata.name == "prod"
  has(namespaceObject.metadata.labels) && namespaceObject.metadata.labels.team == "a"
  object.nope == 1  1/0 == 1  false  true  params == null  request.userInfo.username == "alice"
  request.namespace == "prod"  request.kind.kind == "Pod"
  object == null ? oldObject.metadata.name == "web" : true  nope(  1
`;

function celMessage(random: Random): string {
  return random.pick(phrases`
    'n=' + object.metadata.name  'a\nb'  ''  ' x '  object.nope  string(variables.n)
    'v' + string(1/0)  request.operation  1
  `);
}

const celKinds = ['*', 'Pod', 'Pod', 'Deployment', 'Widget', 'Namespace'];

function celRule(random: Random, at: number): Made {
  const resources = {
    kinds: [random.pick(celKinds)],
    ...random.some({ operations: [0.2, () => [random.pick(['CREATE', 'UPDATE', 'DELETE'])]] }),
  };
  const condition = { key: '{{ request.operation }}', operator: 'NotEquals', value: 'DELETE' };
  return {
    name: `r${at}`,
    match: { any: [{ resources }] },
    ...random.some({
      celPreconditions: [
        0.3,
        () =>
          random.list(1, 2, (index) => ({ name: `c${index}`, expression: random.pick(celTexts) })),
      ],
      preconditions: [0.2, () => ({ all: [condition] })],
    }),
    validate: {
      ...random.some({
        message: [0.5, () => random.pick(['m', 'm {{ request.operation }}', ''])],
        failureAction: [0.3, () => random.pick(['Enforce', 'Audit'])],
      }),
      cel: celValidation(random),
    },
  };
}

function celValidation(random: Random): Made {
  const names = ['size(object.metadata.name)', '2', 'object.spec.containers.size()'];
  return {
    ...random.some({
      paramKind: [0.1, () => ({ apiVersion: 'v1', kind: 'ConfigMap' })],
      paramRef: [
        0.1,
        () => ({ name: 'x', parameterNotFoundAction: random.pick(['Deny', 'Allow']) }),
      ],
    }),
    variables: [
      { name: 'n', expression: random.pick(names) },
      { name: 'bad', expression: random.pick(['object.nope', '1/0', 'variables.n']) },
    ],
    expressions: random.list(0, 3, () => ({
      expression: random.pick(celTexts),
      ...random.some({
        message: [0.4, () => random.pick(['msg', ' pad ', ''])],
        messageExpression: [0.4, () => celMessage(random)],
        reason: [0.2, () => random.pick(['Forbidden', 'Invalid'])],
      }),
    })),
    ...random.some({
      auditAnnotations: [0.2, () => [{ key: 'k', valueExpression: celMessage(random) }]],
    }),
  };
}

/** A case for `rules` of rules in CEL, with variables, messages, annotations and conditions. */
export function generateCelRules(random: Random): object {
  return {
    policies: [
      {
        apiVersion: 'kyverno.io/v1',
        kind: random.chance(0.9) ? 'ClusterPolicy' : 'Policy',
        metadata: { name: 'p0', ...random.some({ namespace: [0.1, () => 'prod'] }) },
        spec: {
          rules: random.list(1, 2, (at) => celRule(random, at)),
          ...random.some({ failurePolicy: [0.2, () => 'Ignore'] }),
        },
      },
    ],
    resource: resource(random),
    ...surroundings(random),
  };
}
