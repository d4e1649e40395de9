import type { Random } from '@kubeadmit/random';
import type { JsonObject } from './json-object.ts';
import {
  applyMutation,
  configMaps,
  coreRule,
  patchMutation,
  registration,
  requestFor,
} from './parts.ts';

// A decision of the authorizer costs 350,000: two of them are the most that one expression may ask for.
const check = "authorizer.path('/x').check('get').allowed()";
const created = coreRule(['configmaps'], ['CREATE']);

/** A policy whose expressions come close to the cost limit, alone or together. */
export function budgetCase(random: Random): JsonObject {
  const policies = random.chance(0.7) ? validatingPolicy(random) : mutatingPolicy(random);
  return {
    resources: policies,
    request: requestFor(configMaps, {
      operation: 'CREATE',
      object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web' }, data: { a: 'b' } },
    }),
  };
}

// A few thousand units, so that sums come out on either side of a limit.
function small(random: Random): string {
  return random.pick([
    'true',
    `lists.range(${random.below(2000)}).all(i, i >= 0)`,
    `lists.range(${random.below(40)}).all(i, lists.range(40).all(j, j >= i - 40))`,
    `lists.range(${random.below(9000)}).size() >= 0`,
    `'${'x'.repeat(random.below(200))}'.matches('x*')`,
    `variables.small`,
  ]);
}

function costly(random: Random, checks: number): string {
  const parts = [
    ...Array.from({ length: checks }, () =>
      `(${check} || true)`.replace('|| true', '? true : true'),
    ),
    ...(random.chance(0.5) ? [small(random)] : []),
  ];
  return parts.length === 0 ? 'true' : parts.join(' && ');
}

function variables(random: Random, count: number): JsonObject[] {
  return [
    { name: 'small', expression: `lists.range(${random.below(3000)}).all(i, i >= 0)` },
    ...Array.from({ length: count }, (_, index) => ({
      name: `v${index}`,
      expression: costly(random, random.pick([0, 1, 1, 2, 2, 3])),
    })),
    { name: 'bad', expression: `${costly(random, 1)} && object.nope` },
  ];
}

function uses(random: Random, count: number): string {
  const names = random.list(1, count, () => `variables.v${random.below(count)}`);
  return names.join(random.pick([' && ', ' || ', ' && ']));
}

function text(random: Random): string {
  return random.pick([
    "'m'",
    `string(${small(random)})`,
    `lists.range(${random.below(60000)}).map(i, 'x').size() > 0 ? 'a' : 'b'`,
    `string(variables.small)`,
    `string(variables.v0)`,
    `string(variables.bad)`,
    `string(lists.range(1000).all(i, lists.range(${random.below(400)}).all(j, j >= 0)))`,
  ]);
}

function validatingPolicy(random: Random): JsonObject[] {
  const count = random.pick([1, 3, 8, 16]);
  const condition = (): string =>
    random.chance(0.3) ? uses(random, count) : costly(random, random.pick([0, 1, 1, 2, 2, 3]));
  const length = random.pick([1, 2, 4, 13, 14, 15, 16, 28, 29]);
  const most = random.pick([1, 1, 2]);
  const validations = Array.from({ length }, () => ({
    expression: random.pick([
      () => condition(),
      () => costly(random, most),
      () => costly(random, most),
      () => `!(${costly(random, most)})`,
      () => `${costly(random, 1)} && object.nope == 1`,
    ])(),
    ...random.some({ messageExpression: [0.3, () => text(random)], message: [0.3, () => 'm'] }),
  }));
  const matchConditions = random.list(0, random.pick([0, 1, 8]), (index) => ({
    name: `c${index}`,
    expression: random.pick([
      () => costly(random, random.pick([0, 1, 1, 2])).replaceAll('variables.small', 'true'),
      () => costly(random, 1).replaceAll('variables.small', 'true'),
      () => random.pick(['true', 'true', 'false', 'object.nope == 1']),
    ])(),
  }));
  const spec = {
    matchConstraints: created,
    variables: variables(random, count),
    validations,
    matchConditions,
    ...random.some({
      failurePolicy: [0.4, () => random.pick(['Fail', 'Ignore'])],
      auditAnnotations: [
        0.3,
        () =>
          random.list(1, random.pick([2, 12]), (index) => ({
            key: `k${index}`,
            valueExpression: text(random),
          })),
      ],
    }),
  };
  return [
    registration('ValidatingAdmissionPolicy', 'p', spec),
    ...random.list(1, 2, (index) =>
      registration('ValidatingAdmissionPolicyBinding', `b${index}`, {
        policyName: 'p',
        validationActions: random.pick([['Deny'], ['Warn', 'Audit']]),
      }),
    ),
  ];
}

function mutatingPolicy(random: Random): JsonObject[] {
  const count = random.pick([1, 8, 15, 16, 29]);
  const all = Array.from({ length: count }, (_, index) => `variables.v${index}`).join(' && ');
  const asked = (): string =>
    random.pick([all, uses(random, count), costly(random, random.pick([0, 1, 2, 3]))]);
  const mutation = (index: number): JsonObject =>
    random.chance(0.5)
      ? applyMutation(
          `Object{metadata: Object.metadata{labels: {'k${index}': string(${asked()})}}}`,
        )
      : patchMutation(
          `[JSONPatch{op: 'add', path: '/data/' + jsonpatch.escapeKey('${'~/'.repeat(random.below(300))}k${index}'), value: string(${asked()})}]`,
        );
  const spec = {
    matchConstraints: created,
    variables: variables(random, count),
    mutations: random.list(1, 3, mutation),
    matchConditions: random.list(0, 8, (index) => ({
      name: `c${index}`,
      expression: costly(random, random.pick([0, 0, 1])).replaceAll('variables.small', 'true'),
    })),
    reinvocationPolicy: random.pick(['Never', 'IfNeeded']),
    ...random.some({ failurePolicy: [0.5, () => random.pick(['Fail', 'Ignore'])] }),
  };
  return [
    registration('MutatingAdmissionPolicy', 'p', spec),
    registration('MutatingAdmissionPolicyBinding', 'b', { policyName: 'p' }),
  ];
}
