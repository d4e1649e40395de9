import type { Random } from '@kubeadmit/random';
import type { JsonObject } from './json-object.ts';
import { applyMutation, objectsOf, registration, requestAbout } from './parts.ts';

/** The resource of a request, with all served versions. */
interface Asked {
  readonly group: string;
  readonly versions: readonly string[];
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly subResources: readonly string[];
}

const asked: readonly Asked[] = [
  about('ConfigMap', {}),
  about('Pod', { subResources: ['status'] }),
  about('Namespace', { namespaced: false, subResources: ['status'] }),
  about('Node', { namespaced: false, subResources: ['status'] }),
  about('Deployment', { group: 'apps', subResources: ['status'] }),
  about('HorizontalPodAutoscaler', {
    group: 'autoscaling',
    versions: ['v1', 'v2'],
    subResources: ['status'],
  }),
  about('Event', { group: 'events.k8s.io' }),
  about('Event', {}),
  about('ClusterRole', { group: 'rbac.authorization.k8s.io', namespaced: false }),
];

function about(kind: string, rest: Partial<Asked>): Asked {
  const resource = `${kind.toLowerCase()}s`;
  const usual = { group: '', versions: ['v1'], namespaced: true, subResources: [] };
  return { ...usual, kind, resource, ...rest };
}

const labelSets: readonly (JsonObject | undefined)[] = [
  undefined,
  {},
  { app: 'web' },
  { app: 'api', env: 'prod' },
  { env: '' },
  { 'x/y': 'z' },
];

/** A request, and policies whose rules, exclusions and selectors meet it or nearly do, the bindings' too. */
export function matchingCase(random: Random): JsonObject {
  const about = random.pick(asked);
  const { group, resource, kind, namespaced } = about;
  const version = random.pick(about.versions);
  const operation = random.pick(['CREATE', 'UPDATE', 'DELETE']);
  const name = random.pick(['web', 'web', 'other', '']);
  const namespace = namespaced ? random.pick(['default', 'prod', 'absent']) : undefined;
  const object = (): JsonObject => {
    const labels = random.pick(labelSets);
    return {
      apiVersion: group === '' ? version : `${group}/${version}`,
      kind,
      metadata: {
        ...(name === '' ? { generateName: 'web-' } : { name }),
        ...(namespace === undefined ? {} : { namespace }),
        ...(labels === undefined ? {} : { labels }),
      },
    };
  };
  const subResource = about.subResources[0];
  const isSub = subResource !== undefined && operation === 'UPDATE' && random.chance(0.3);
  const place = resource === 'namespaces' && name !== '' ? name : namespace;
  const request = requestAbout(
    { ...about, version },
    {
      ...(isSub ? { subResource } : {}),
      operation,
      name: name === '' ? undefined : name,
      ...(place === undefined ? {} : { namespace: place }),
      ...objectsOf(operation, object),
    },
  );
  const namespaceOf = (each: string): JsonObject => {
    const labels = random.pick(labelSets);
    return {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: each, ...(labels && { labels }) },
    };
  };
  return {
    resources: [
      ...['default', 'prod', 'web'].filter(() => random.chance(0.6)).map(namespaceOf),
      ...random.list(1, 3, (index) => policy(random, about, `p${index}`)).flat(),
    ],
    request,
  };
}

function policy(random: Random, about: Asked, name: string): JsonObject[] {
  const isMutating = random.chance(0.3);
  const kind = isMutating ? 'MutatingAdmissionPolicy' : 'ValidatingAdmissionPolicy';
  const told = `'${name} %s %s'.format([dyn(request.resource), dyn(request.kind)])`;
  const acts = isMutating
    ? {
        reinvocationPolicy: 'Never',
        mutations: [
          applyMutation(`Object{metadata: Object.metadata{annotations: {'${name}': ${told}}}}`),
        ],
      }
    : { validations: [{ expression: 'false', messageExpression: told }] };
  return [
    registration(kind, name, { matchConstraints: match(random, about, 1, isMutating), ...acts }),
    ...random.list(1, 2, (index) =>
      registration(`${kind}Binding`, `${name}-${index}`, {
        policyName: name,
        ...(isMutating ? {} : { validationActions: [random.pick(['Deny', 'Warn'])] }),
        ...random.some({ matchResources: [0.6, () => match(random, about, 0, isMutating)] }),
      }),
    ),
  ];
}

function match(random: Random, about: Asked, least: number, isMutating: boolean): JsonObject {
  return {
    resourceRules: random.list(least, 2, () => rule(random, about, isMutating)),
    ...random.some({
      excludeResourceRules: [0.35, () => random.list(1, 2, () => rule(random, about, isMutating))],
      matchPolicy: [0.5, () => random.pick(['Exact', 'Equivalent'])],
      namespaceSelector: [0.35, () => selector(random)],
      objectSelector: [0.35, () => selector(random)],
    }),
  };
}

function rule(random: Random, about: Asked, isMutating: boolean): JsonObject {
  const { group, versions, resource, subResources } = about;
  const sub = subResources[0] ?? 'scale';
  const other = random.pick(asked);
  const operations = isMutating
    ? [['CREATE', 'UPDATE'], ['CREATE'], ['UPDATE']]
    : [['*'], ['CREATE', 'UPDATE'], ['DELETE'], ['UPDATE', 'DELETE', 'CONNECT']];
  return {
    apiGroups: random.pick([
      [group],
      [group],
      ['*'],
      [...new Set([other.group, group])],
      [other.group],
    ]),
    apiVersions: random.pick([['*'], ['v1'], ['v1beta1'], ['v2'], [random.pick(versions)]]),
    operations: random.pick(operations),
    resources: random.pick([
      [resource],
      [resource],
      ['*'],
      ['*/*'],
      [`*/${sub}`],
      [`${resource}/*`],
      [resource, `${resource}/${sub}`],
      [...new Set([other.resource, resource])],
      [other.resource],
    ]),
    ...random.some({
      scope: [0.35, () => random.pick(['*', 'Namespaced', 'Cluster'])],
      resourceNames: [0.2, () => random.pick([['web'], ['other', 'web'], ['none'], []])],
    }),
  };
}

function selector(random: Random): JsonObject {
  const keys = ['app', 'env', 'x/y', 'kubernetes.io/metadata.name'];
  const values = ['web', 'api', 'prod', 'default', ''];
  const expression = (): JsonObject => {
    const operator = random.pick(['In', 'NotIn', 'Exists', 'DoesNotExist']);
    const given = operator === 'In' || operator === 'NotIn';
    return {
      key: random.pick(keys),
      operator,
      ...(given ? { values: random.list(1, 2, () => random.pick(values)) } : {}),
    };
  };
  return random.some({
    matchLabels: [0.5, () => ({ [random.pick(keys)]: random.pick(values) })],
    matchExpressions: [0.6, () => random.list(0, 2, expression)],
  });
}
