import { gadgetDefinition, type Sample } from './data.ts';
import { randomObject } from './objects.ts';
import type { JsonObject, Random } from './random.ts';

const users = [
  { username: 'alice' },
  { username: 'system:x', groups: ['x', 'y'], uid: '1', extra: { k: ['v'] } },
];

/** A request for a resource. */
export function randomRequest(
  random: Random,
  sample: Sample,
  operations: readonly string[],
): JsonObject {
  const { group, version, resource, namespaced } = sample;
  const operation = random.pick(operations);
  const name = random.pick(['web', 'web', 'web', 'a', '']);
  const isNamespace = resource === 'namespaces';
  const namespace = isNamespace
    ? name || 'web'
    : namespaced
      ? random.pick(['default', 'prod'])
      : '';
  const options = `${operation[0]}${operation.slice(1).toLowerCase()}Options`;
  return {
    uid: 'u',
    kind: { group, version, kind: sample.object.kind },
    resource: { group, version, resource },
    operation,
    userInfo: random.pick(users),
    ...(name === '' ? {} : { name }),
    ...(namespace === '' ? {} : { namespace }),
    ...(operation === 'DELETE' ? {} : { object: randomObject(random, sample) }),
    ...(operation === 'CREATE' ? {} : { oldObject: randomObject(random, sample) }),
    ...random.some({
      options: [0.3, () => ({ kind: options, apiVersion: 'meta.k8s.io/v1' })],
      dryRun: [0.2, () => true],
    }),
  };
}

/** What a cluster has besides policies; the custom kind only where it is needed. */
export function randomSurroundings(random: Random, needsDefinition: boolean): JsonObject[] {
  const configMap = (name: string, max: string): JsonObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'default', labels: { app: 'web' } },
    data: { a: '5', max },
  });
  const production = {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'prod', labels: { env: 'prod' } },
  };
  return [
    ...(needsDefinition ? [gadgetDefinition] : []),
    ...(random.chance(0.5) ? [production] : []),
    ...(random.chance(0.6) ? [configMap('limits', '5')] : []),
    ...(random.chance(0.3) ? [configMap('limits-2', '2')] : []),
  ];
}

/** A label selector. */
export function randomSelector(random: Random): JsonObject {
  return random.pick<JsonObject>([
    {},
    { matchLabels: { app: 'web' } },
    { matchExpressions: [{ key: 'app', operator: random.pick(['Exists', 'DoesNotExist']) }] },
    {
      matchExpressions: [
        { key: 'env', operator: random.pick(['In', 'NotIn']), values: ['prod', 'dev'] },
      ],
    },
  ]);
}

/** A rule that is about a resource, and perhaps about more. */
export function randomRule(
  random: Random,
  { group, version, resource }: Sample,
  operations: readonly string[],
): JsonObject {
  return {
    apiGroups: [random.pick([group, group, '*'])],
    apiVersions: [random.pick([version, version, '*'])],
    operations,
    resources: [random.pick([resource, resource, '*'])],
    ...random.some({
      scope: [0.1, () => random.pick(['*', 'Namespaced', 'Cluster'])],
      resourceNames: [0.1, () => [random.pick(['web', 'a'])]],
    }),
  };
}

/** The reference of a binding to parameters. */
export function randomParamRef(random: Random): JsonObject {
  return {
    parameterNotFoundAction: random.pick(['Deny', 'Allow']),
    ...(random.chance(0.7)
      ? { name: random.pick(['limits', 'limits', 'none', 'limits-2']) }
      : { selector: randomSelector(random) }),
    ...random.some({ namespace: [0.2, () => random.pick(['default', 'prod'])] }),
  };
}
