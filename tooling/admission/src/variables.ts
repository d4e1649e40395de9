import type { Random } from '@kubeadmit/random';
import type { JsonObject } from './json-object.ts';
import {
  applyMutation,
  changing,
  configMaps,
  coreRule,
  mutatingPolicy,
  objectsOf,
  patchMutation,
  requestFor,
  validatingPolicy,
} from './parts.ts';

const names = ['a', 'b', 'c', 'd', 'e', 'object', 'in_use', 'x1'];

/** Policies whose variables use each other, of every type, with errors that show where something needs them. */
export function variablesCase(random: Random): JsonObject {
  const operation = random.pick(['CREATE', 'UPDATE', 'DELETE']);
  const object = (): JsonObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'web', namespace: 'default', labels: { a: random.pick(['1', 'x', '']) } },
    ...random.some({ data: [0.7, () => ({ n: String(random.below(3)), m: 'text' })] }),
  });
  const parameters = random.list(0, 3, (index) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: `p${index}`, namespace: 'default' },
    data: { n: 'MQ==' },
  }));
  const isMutating = operation !== 'DELETE' && random.chance(0.3);
  const policies = random.list(1, 2, (index) =>
    isMutating ? mutating(random, `p${index}`) : validating(random, `p${index}`),
  );
  return {
    resources: [...parameters, ...policies.flat()],
    request: requestFor(configMaps, {
      operation,
      ...objectsOf(operation, object),
    }),
  };
}

/** An expression that may use variables that were declared before, mostly as values of any type. */
function expression(random: Random, { known, hasParams }: Scope): string {
  const use = (): string => {
    if (random.chance(0.005)) return 'variables.nope';
    const name = known.length === 0 ? undefined : random.pick(known);
    const value = name === undefined ? random.pick(['1', "'s'", '[1]']) : `variables.${name}`;
    return random.chance(0.04) ? value : `dyn(${value})`;
  };
  const params = hasParams ? 'params' : 'request';
  return random.pick<() => string>([
    () => random.pick(['1', '-1', '2u', '1.5', "'s'", 'true', 'null', "b'x'", 'dyn(1)']),
    () => random.pick(['1 / 0', "dyn({'k': 1}).nope", '[1][3]', "int('x')", "dyn('a') + dyn(1)"]),
    () => random.pick(['[1, 2]', '[]', "{'k': 1}", '{}', "[{'k': 1}]", 'optional.none()']),
    () => random.pick(['optional.of(1)', "duration('1h')", "timestamp('2024-01-01T00:00:00Z')"]),
    () =>
      random.pick(["quantity('1Gi')", "url('https://a/b')", 'type(1)', "authorizer.path('/x')"]),
    () => random.pick(['object', 'oldObject', params, 'request', 'namespaceObject']),
    () => random.pick(['object.metadata.labels', 'object.data', 'object.data.n', 'object.nope']),
    () => random.pick([`dyn(${params}).data`, `dyn(${params}).data.n`, 'request.name']),
    use,
    use,
    () => `${use()} + ${use()}`,
    () => `[${use()}, ${use()}]`,
    () => `{'k': ${use()}, 'l': ${use()}}`,
    () => `${use()} == ${use()}`,
    () => `${use()}.size()`,
    () => `${use()}.k`,
    () => `${use()}[0]`,
    () => `${use()}.map(v, ${use()})`,
    () => `[1, 2].map(v, dyn(v) == ${use()})`,
    () => `[1, 2].exists(v, v == ${use()})`,
    () => `has(${use()}.k) ? ${use()} : ${use()}`,
    () => `has(dyn(variables).${random.pick([...known, 'nope'])}) ? ${use()} : dyn(1)`,
    () => `dyn(variables).${random.pick([...known, 'nope'])}`,
    () => `dyn(variables)['${random.pick([...known, 'nope'])}']`,
    () => `type(variables) == ${random.pick(['type(object)', 'type({})', 'type(variables)'])}`,
    () => `[${use()}, ${use()}].transformList(i, v, i > 0, [v, dyn(i)])`,
    () => `${use()}.?k.orValue(${use()})`,
    () => `(true || ${use()}) && !(false && ${use()})`,
    () => `string(${use()})`,
    () => `'%s'.format([${use()}])`,
    () => `${use()} ? ${use()} : ${use()}`,
  ])();
}

/** The names that an expression may use. */
interface Scope {
  readonly known: readonly string[];
  readonly hasParams: boolean;
}

/** The same as a boolean or as a text, as a field wants it, but now and then. */
function typed(random: Random, type: 'bool' | 'string', scope: Scope): string {
  if (random.chance(0.01)) return expression(random, scope);
  const value = `dyn(${expression(random, scope)})`;
  if (random.chance(0.3)) return type === 'bool' ? `bool(${value})` : `string(${value})`;
  return type === 'bool'
    ? `${value} == dyn(${expression(random, scope)})`
    : `'%s'.format([${value}])`;
}

function declared(
  random: Random,
  hasParams: boolean,
): { variables: JsonObject[]; known: string[] } {
  const known: string[] = [];
  const variables = random.list(1, 6, () => {
    const free = names.filter((name) => !known.includes(name));
    // Of a variable that needs itself, by being declared twice or by `dyn(variables)`, kube-apiserver dies.
    const name = random.pick(free);
    const variable = { name, expression: expression(random, { known, hasParams }) };
    known.push(name);
    return variable;
  });
  return { variables: random.chance(0.01) ? variables.reverse() : variables, known };
}

function common(random: Random): { spec: JsonObject; scope: Scope; binding: JsonObject } {
  const hasParams = random.chance(0.6);
  const { variables, known } = declared(random, hasParams);
  const spec = {
    variables,
    matchConstraints: changing,
    ...(hasParams ? { paramKind: { apiVersion: 'v1', kind: 'Secret' } } : {}),
    ...random.some({
      failurePolicy: [0.4, () => random.pick(['Fail', 'Ignore'])],
      matchConditions: [
        0.2,
        () => [{ name: 'c', expression: random.pick(['true', 'true', '1 / 0 == 1']) }],
      ],
    }),
  };
  const paramRef = {
    ...random.pick<JsonObject>([{ selector: {} }, { name: 'p0' }]),
    parameterNotFoundAction: random.pick(['Deny', 'Allow']),
  };
  return { spec, scope: { known, hasParams }, binding: hasParams ? { paramRef } : {} };
}

function validating(random: Random, name: string): JsonObject[] {
  const { spec, scope, binding } = common(random);
  return validatingPolicy(
    name,
    {
      ...spec,
      matchConstraints: coreRule(['configmaps'], ['*']),
      validations: random.list(1, 3, () => ({
        expression: random.chance(0.3) ? 'false' : typed(random, 'bool', scope),
        ...random.some({ messageExpression: [0.7, () => typed(random, 'string', scope)] }),
      })),
      ...random.some({
        auditAnnotations: [
          0.5,
          () =>
            random.list(1, 2, (index) => ({
              key: `k${index}`,
              valueExpression: typed(random, 'string', scope),
            })),
        ],
      }),
    },
    { ...binding, validationActions: random.pick([['Deny'], ['Deny', 'Audit'], ['Warn']]) },
  );
}

function mutating(random: Random, name: string): JsonObject[] {
  const { spec, scope, binding } = common(random);
  const told = (): string => typed(random, 'string', scope);
  const mutations = random.list(1, 3, () =>
    random.chance(0.5)
      ? applyMutation(`Object{data: {'${random.pick(['n', 'k'])}': ${told()}}}`)
      : patchMutation(`[JSONPatch{op: 'add', path: '/metadata/labels', value: {'l': ${told()}}}]`),
  );
  return mutatingPolicy(
    name,
    { ...spec, mutations, reinvocationPolicy: random.pick(['Never', 'IfNeeded']) },
    binding,
  );
}
