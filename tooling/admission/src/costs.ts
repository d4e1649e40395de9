import { phrases, type Random } from '@kubeadmit/random';
import type { JsonObject } from './json-object.ts';
import {
  applyMutation,
  configMaps,
  coreRule,
  mutatingPolicy,
  patchMutation,
  requestFor,
  validatingPolicy,
} from './parts.ts';

const constraints = coreRule(['configmaps'], ['CREATE']);

/**
 * Expressions over long texts and loops that come close to the cost limit of one expression, a policy, or all
 * conditions.
 */
export function costsCase(random: Random): JsonObject {
  const long = random.pick([10, 999, 5000, 20000]);
  const letter = random.pick(['a', 'é', '日', '🙂', 'ab ']);
  const object = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'web', labels: { app: 'web' } },
    data: {
      long: letter.repeat(long),
      short: 'a,b,c',
      ...Object.fromEntries(random.list(0, 40, (index) => [`k${index}`, String(index)])),
    },
  };
  return {
    resources: random.chance(0.75) ? validating(random) : mutating(random),
    request: requestFor(configMaps, {
      operation: 'CREATE',
      object,
    }),
  };
}

// Each costs a number of units for each turn, by which it is repeated up to near a limit.
const turns = [
  ['i >= 0', 4],
  ["object.data.short != 'x'", 5],
  ['object.data.long.size() >= 0', 5],
  ["object.data.short.contains('b') || true", 5],
  ["object.data.long.startsWith('b') || true", 5],
  ['string(i) != object.data.short', 5],
  ['[i, i + 1, i + 2].size() == 3', 40],
  ["{'a': i}.size() == 1", 40],
  ['object.data.map(k, k).size() >= 0', 500],
  ["object.data.short.split(',').size() == 3", 10],
  ["object.data.short.matches('^[a-z,]+$')", 10],
  ['object.metadata == object.metadata', 20],
  ["quantity('1Gi').isGreaterThan(quantity('1Mi'))", 10],
  ["object.data.short.replace(',', '') != ''", 10],
  ["'%d'.format([i]) != ''", 8],
  ['lists.range(10).sum() == 45', 60],
] as const;

const limits = [20_000, 200_000, 1_000_000, 1_000_000, 2_500_000];

function costly(random: Random, most = 1_050_000): string {
  const [turn, units] = random.pick(turns);
  const wanted = Math.min(most, random.pick(limits)) * (0.7 + 0.6 * random.next());
  const count = Math.max(1, Math.floor(wanted / (units + 4)));
  const side = Math.max(1, Math.floor(Math.sqrt(count)));
  return random.pick([
    // Long lists take a time in Go that grows with their square.
    `lists.range(${Math.min(count, 2_000)}).all(i, ${turn})`,
    `lists.range(${side}).all(j, lists.range(${side}).all(i, ${turn}))`,
    `lists.range(${side}).all(j, lists.range(${side}).all(i, ${turn}))`,
    `lists.range(${side}).map(i, ${turn}).size() >= 0`,
    `lists.range(${side}).filter(i, ${turn}).size() >= 0`,
    `lists.range(${side}).exists_one(i, ${turn}) || true`,
    textual(random, Math.min(side, 100)),
    textual(random, 1 + random.below(12)),
  ]);
}

/** Returns an expression whose cost depends on the length of a string. */
function textual(random: Random, turns: number): string {
  const one = random.pick(phrases`
    object.data.long.contains('zz')  object.data.long.indexOf('zz') == -1
    object.data.long.matches('zz$')  object.data.long.lowerAscii() == ''
    object.data.long.replace('a', 'b') == ''  object.data.long.split('').size() == 0
    object.data.long.substring(1).size() == 0  object.data.long + 'a' == ''
    object.data.long == object.data.long + ''  object.data.long < object.data.short
    object.data.long.find('z+') == 'z'  object.data.long.findAll('[é日]').size() == 1
    object.data.long.trim() == ''  object.data.long in ['a', 'b']
    [object.data.long].exists(l, l == 'x')  object.data.long.charAt(3) == 'x'
    object.data.long.reverse() == ''  bytes(object.data.long).size() == 0
    base64.encode(bytes(object.data.long)) == object.data.short  '%s'.format([object.data]) == ''
    strings.quote(object.data.long) == object.data.short  isURL(object.data.long)
    variables.joined.size() == 1  variables.doubled.contains('zz')
  `);
  return `!lists.range(${turns}).exists(i, ${one} && i < 0) || ${one}`;
}

function text(random: Random): string {
  return random.pick([
    "'m'",
    'string(object.data.long)',
    'variables.doubled',
    'variables.joined',
    `string(${costly(random)})`,
    "'%s'.format([object.data.short])",
    "lists.range(5121).map(i, 'x').join()",
  ]);
}

function variables(): JsonObject[] {
  return [
    { name: 'doubled', expression: 'object.data.long + object.data.long' },
    { name: 'joined', expression: 'object.data.map(k, object.data[k]).join(object.data.short)' },
  ];
}

function conditions(random: Random): JsonObject[] {
  return random.list(1, 4, (index) => ({
    name: `c${index}`,
    expression: costly(random, 1_200_000)
      .replaceAll('variables.joined', 'object.data.long')
      .replaceAll('variables.doubled', 'object.data.long'),
  }));
}

function validating(random: Random): JsonObject[] {
  return validatingPolicy(
    'p',
    {
      matchConstraints: constraints,
      variables: [
        ...variables(),
        { name: 'v', expression: costly(random) },
        { name: 'w', expression: `variables.v && ${costly(random)}` },
      ],
      validations: random.list(1, random.pick([2, 2, 14]), () => ({
        expression: random.pick([
          () => costly(random),
          () => costly(random),
          () => `!(${costly(random)})`,
          () => random.pick(['variables.v', 'variables.w', 'variables.v && variables.v']),
        ])(),
        ...random.some({ messageExpression: [0.4, () => text(random)] }),
      })),
      ...random.some({
        failurePolicy: [0.4, () => random.pick(['Fail', 'Ignore'])],
        matchConditions: [0.4, () => conditions(random)],
        auditAnnotations: [0.3, () => [{ key: 'k', valueExpression: text(random) }]],
      }),
    },
    { validationActions: random.pick([['Deny'], ['Warn', 'Audit']]) },
  );
}

function mutating(random: Random): JsonObject[] {
  return mutatingPolicy('p', {
    matchConstraints: constraints,
    variables: variables(),
    mutations: random.list(1, 3, (index) =>
      random.chance(0.5)
        ? applyMutation(
            `Object{metadata: Object.metadata{annotations: {'k${index}': string(${costly(random)})}}}`,
          )
        : patchMutation(
            `[JSONPatch{op: 'add', path: '/data/k${index}', value: string(${costly(random)})}]`,
          ),
    ),
    reinvocationPolicy: random.pick(['Never', 'IfNeeded']),
    ...random.some({
      failurePolicy: [0.4, () => random.pick(['Fail', 'Ignore'])],
      matchConditions: [0.4, () => conditions(random)],
    }),
  });
}
