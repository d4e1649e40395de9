import type { Random } from '@kubeadmit/random';
import { definitions, type Sample } from './data.ts';
import type { JsonObject } from './json-object.ts';
import { randomObject } from './objects.ts';

const users: readonly JsonObject[] = [
  { username: 'alice' },
  { username: 'system:x', groups: ['x', 'y'], uid: '1', extra: { k: ['v'] } },
  { username: 'root', groups: ['system:masters'] },
  {},
];

/** A request for a resource or subresource. */
export function randomRequest(
  random: Random,
  sample: Sample,
  operations: readonly string[],
): JsonObject {
  const { group, version, resource, namespaced, subResource } = sample;
  const operation = random.pick(sample.operations ?? operations);
  const name = random.pick(['web', 'web', 'web', 'a', '']);
  const isNamespace = resource === 'namespaces';
  const namespace = isNamespace
    ? name || 'web'
    : namespaced
      ? random.pick(['default', 'prod', 'default', 'prod', 'none'])
      : '';
  const has = {
    object: operation !== 'DELETE',
    oldObject: !['CREATE', 'CONNECT'].includes(operation),
  };
  const kind = kindOf(sample);
  return {
    uid: 'u',
    kind,
    resource: { group, version, resource },
    ...(subResource === undefined ? {} : { subResource }),
    operation,
    userInfo: random.pick(users),
    ...(name === '' ? {} : { name }),
    ...(namespace === '' ? {} : { namespace }),
    ...(has.object && random.chance(0.99) ? { object: randomObject(random, sample) } : {}),
    ...(has.oldObject && random.chance(0.97) ? { oldObject: randomObject(random, sample) } : {}),
    ...random.some({
      options: [0.4, () => randomOptions(random, operation)],
      dryRun: [0.2, () => random.pick([true, false, null])],
      requestKind: [0.05, () => kind],
      requestResource: [0.05, () => ({ group, version, resource })],
    }),
  };
}

function kindOf({ object: { apiVersion, kind } }: Sample): JsonObject {
  const slash = apiVersion.indexOf('/');
  return {
    group: apiVersion.slice(0, Math.max(slash, 0)),
    version: apiVersion.slice(slash + 1),
    kind,
  };
}

function randomOptions(random: Random, operation: string): JsonObject {
  const usual = `${operation[0]}${operation.slice(1).toLowerCase()}Options`;
  const kinds = ['CreateOptions', 'UpdateOptions', 'PatchOptions', 'DeleteOptions'];
  return {
    kind: kinds.includes(usual) && random.chance(0.8) ? usual : random.pick(kinds),
    ...random.some({
      apiVersion: [0.9, () => 'meta.k8s.io/v1'],
      dryRun: [0.3, () => random.pick([['All'], []])],
      fieldManager: [0.3, () => random.pick(['kubectl', ''])],
      fieldValidation: [0.2, () => 'Strict'],
      gracePeriodSeconds: [0.2, () => random.pick([0, 30])],
      propagationPolicy: [0.2, () => 'Foreground'],
      orphanDependents: [0.1, () => false],
      preconditions: [0.2, () => random.pick([{ uid: 'x' }, { resourceVersion: '1' }, {}])],
      force: [0.1, () => true],
    }),
  };
}

/** Returns the other objects of a cluster; custom kinds are included only if the text mentions them. */
export function randomSurroundings(random: Random, mentioned: string): JsonObject[] {
  const metadata = (name: string, namespace: string, labels: JsonObject): JsonObject => ({
    name,
    ...(namespace === '' ? {} : { namespace }),
    labels,
  });
  const web = { app: 'web' };
  const configMap = (name: string, max: string, namespace = 'default'): JsonObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: metadata(name, namespace, web),
    data: { a: '5', max },
  });
  const custom = (kind: string, name: string, namespace: string, spec: JsonObject): JsonObject => ({
    apiVersion: 'ex.com/v1',
    kind,
    metadata: metadata(name, namespace, web),
    spec,
  });
  const namespace = (name: string, labels: JsonObject): JsonObject => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels, ...(random.chance(0.3) ? { annotations: { a: 'b' } } : {}) },
  });
  const chance = (probability: number, make: () => JsonObject): JsonObject[] =>
    random.chance(probability) ? [make()] : [];
  const kinds = [...definitions.keys()].filter((kind) => mentioned.includes(`"${kind}"`));
  return [
    ...kinds.filter(() => random.chance(0.97)).map((kind) => definitions.get(kind) as JsonObject),
    ...chance(0.5, () => namespace('prod', { env: 'prod', app: 'web' })),
    ...chance(0.2, () => namespace('default', { env: 'dev' })),
    ...chance(0.2, () => namespace('web', { env: 'prod' })),
    ...chance(0.6, () => configMap('limits', '5')),
    ...chance(0.3, () => configMap('limits-2', '2')),
    ...chance(0.3, () => configMap('limits', '9', 'prod')),
    ...chance(0.3, () => ({ ...configMap('limits', '7'), kind: 'Secret', data: { a: 'NQ==' } })),
    ...(kinds.includes('Limit')
      ? [custom('Limit', 'limits', '', { max: 5, byTeam: { a: 1 } })]
      : []),
    ...(kinds.includes('Gadget')
      ? chance(0.7, () => custom('Gadget', 'limits', 'default', {}))
      : []),
    ...(kinds.includes('Widget')
      ? chance(0.7, () => custom('Widget', 'limits', 'default', { size: 3 }))
      : []),
  ];
}

/** A label selector. */
export function randomSelector(random: Random): JsonObject {
  const values = ['prod', 'dev', 'web'];
  const expression = (): JsonObject => {
    const operator = random.pick(['In', 'NotIn', 'Exists', 'DoesNotExist']);
    const key = random.pick(['app', 'env', 'x/y', 'kubernetes.io/metadata.name']);
    if (operator.endsWith('Exist') || operator === 'Exists') return { key, operator };
    return { key, operator, values: random.list(1, 2, () => random.pick(values)) };
  };
  if (random.chance(0.2)) return {};
  return random.some({
    matchLabels: [0.5, () => ({ [random.pick(['app', 'env'])]: random.pick(values) })],
    matchExpressions: [0.6, () => random.list(0, 2, expression)],
  });
}

/** A rule that is about a resource, and perhaps about more. */
export function randomRule(
  random: Random,
  { group, version, resource, subResource = 'status' }: Sample,
  operations: readonly string[],
): JsonObject {
  const versions = [...new Set([version, random.pick(['v1', 'v1beta1', 'v2', 'v3'])])];
  const one = (): string[] => [resource];
  const resources = random.pick<() => string[]>([
    ...[one, one, one],
    () => ['*'],
    () => ['*/*'],
    () => [`${resource}/*`],
    () => [`*/${subResource}`],
    () => [`${resource}/${subResource}`],
    () => [resource, `${resource}/${subResource}`],
    () => ['other', '*'],
  ])();
  return {
    apiGroups: random.pick([[group], [group], ['*'], [...new Set(['', group])]]),
    apiVersions: random.pick([[version], [version], ['*'], versions, versions.slice(-1)]),
    operations,
    resources,
    ...random.some({
      scope: [0.15, () => random.pick(['*', 'Namespaced', 'Cluster'])],
      resourceNames: [0.1, () => random.pick([['web'], ['a'], ['web', 'a'], []])],
    }),
  };
}

/** The reference of a binding to parameters. */
export function randomParamRef(random: Random): JsonObject {
  return {
    parameterNotFoundAction: random.pick(['Deny', 'Allow']),
    ...(random.chance(0.65)
      ? { name: random.pick(['limits', 'limits', 'none', 'limits-2']) }
      : { selector: randomSelector(random) }),
    ...random.some({ namespace: [0.2, () => random.pick(['default', 'prod'])] }),
  };
}
