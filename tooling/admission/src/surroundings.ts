import type { GroupVersionKind } from '@kubeadmit/apimachinery';
import type { Random } from '@kubeadmit/random';
import { listResources, loadSchemas, type Resource } from '@kubeadmit/schemas';
import { makeObject } from '@kubeadmit/schemas-tooling';
import type { JsonObject } from './json-object.ts';
import { everything, registration, tellingPolicy } from './parts.ts';
import { celLiteral, celPath, isField, placesOf } from './places.ts';
import { oddSelector } from './selectors.ts';

const schemas = await loadSchemas();
const untyped = ['apiextensions.k8s.io', 'apiregistration.k8s.io'];

/** Resources whose objects can be parameters; the default of a device taint is the time of the request. */
const kept: readonly Resource[] = listResources(schemas).filter(
  ({ group, kind, resource, verbs }) =>
    !untyped.includes(group) &&
    !/admissionpolic/.test(resource) &&
    kind !== 'DeviceTaintRule' &&
    kind !== 'ResourceSlice' &&
    ['create', 'list', 'watch'].every((verb) => verbs.includes(verb)),
);

/** Resources with something below them that is created, updated or connected to. */
const withSubresources: readonly Resource[] = listResources(schemas).filter(
  ({ group, kind, subresources }) =>
    !untyped.includes(group) && kind !== 'DeviceTaintRule' && subresources.length > 0,
);

function dense(random: Random, kind: GroupVersionKind, name: string): JsonObject {
  const density = random.pick([0.05, 0.15, 0.3, 0.5]);
  const object = makeObject(schemas, kind, { density, mistakes: 0, depth: 6 }, random);
  const metadata = (object['metadata'] ?? {}) as JsonObject;
  const stored = { ...object, metadata: { ...metadata, name } };
  // A server reads what it stored: a pointer to the zero time is none there.
  return JSON.parse(JSON.stringify(stored).replaceAll('0001-', '2001-')) as JsonObject;
}

function requestOf(
  random: Random,
  { group, version, kind, resource, namespaced }: Resource,
  operation = random.pick(['CREATE', 'UPDATE', 'DELETE']),
): JsonObject {
  const made = (): JsonObject => dense(random, { group, version, kind }, 'web');
  return {
    uid: 'u',
    kind: { group, version, kind },
    resource: { group, version, resource },
    operation,
    name: 'web',
    ...(namespaced ? { namespace: random.pick(['default', 'prod']) } : {}),
    userInfo: { username: 'alice' },
    ...(operation === 'DELETE' ? {} : { object: made() }),
    ...(operation === 'CREATE' ? {} : { oldObject: made() }),
  };
}

/** A part of the first value beside a part of the second, told or compared. */
function beside(random: Random, left: string, right: string): string {
  return random.pick([
    `${left} == ${right}`,
    `dyn(${left}) in [dyn(${right})]`,
    `[${left}] == [${right}]`,
    `dyn({'a': ${left}}) != dyn({'a': ${right}})`,
    `string(${left}) == string(${right})`,
    `${left}.all(x, ${right}.exists(y, x == y))`,
    `type(${left}) == type(${right})`,
    `${left} < ${right}`,
    `${left} + ${right} == ${right}`,
    `size(${left}) == size(${right})`,
    `has(${right}) ? ${left} == ${right} : false`,
    `optional.of(${left}) == optional.ofNonZeroValue(${right})`,
    `[${left}].map(x, x)[0] == [${right}][0]`,
    `sets.contains([dyn(${left})], [dyn(${right})])`,
  ]);
}

function pathIn(random: Random, root: string, object: JsonObject | undefined): string {
  if (object === undefined) return root;
  const { path } = random.pick(placesOf(object));
  const missing = random.chance(0.08) ? [...path, 'nope'] : path;
  return celPath(root, missing);
}

/** A request and parameters of any kind with whatever fields they have, which are told and compared. */
export function parametersCase(random: Random): JsonObject {
  const resource = random.pick(kept);
  const asked = random.chance(0.5) ? resource : random.pick(kept);
  const request = requestOf(random, asked);
  const { group, version, kind, namespaced } = resource;
  const parameters = ['one', 'two', 'three'].slice(0, random.pick([1, 1, 2, 3])).map((name) => {
    const object = dense(random, { group, version, kind }, name);
    const labels = random.pick<JsonObject>([{}, { app: 'web' }, { app: 'api', env: 'prod' }]);
    return {
      ...object,
      metadata: {
        ...(object['metadata'] as JsonObject),
        labels,
        ...(namespaced ? { namespace: random.pick(['default', 'default', 'prod']) } : {}),
      },
    };
  });
  const [first] = parameters;
  const object = (request['object'] ?? request['oldObject']) as JsonObject;
  const root = 'object' in request ? 'object' : 'oldObject';
  const left = (): string => pathIn(random, root, object);
  const right = (): string => pathIn(random, 'params', first as JsonObject);
  // Mostly the same part of both, which has the same type.
  const pair = (): string => {
    const text = right();
    const same = text.replace(/^params/, root);
    return beside(random, random.chance(0.6) ? same : left(), text);
  };
  const paramKind = { apiVersion: group === '' ? version : `${group}/${version}`, kind };
  const paramRef = {
    ...random.pick<() => JsonObject>([
      () => ({ name: random.pick(['one', 'one', 'two', 'none']) }),
      () => ({ selector: {} }),
      () => ({ selector: oddSelector(random) }),
    ])(),
    ...random.some({ namespace: [0.15, () => random.pick(['default', 'prod', 'other'])] }),
    parameterNotFoundAction: random.pick(['Deny', 'Allow']),
  };
  const common = {
    paramKind,
    matchConstraints: everything,
    variables: [
      { name: 'v', expression: right() },
      { name: 'w', expression: `dyn(variables.v) == dyn(${left()})` },
    ],
    ...random.some({
      matchConditions: [0.3, () => [{ name: 'c', expression: `${pair()} || true` }]],
      failurePolicy: [0.3, () => 'Ignore'],
    }),
  };
  if (random.chance(0.25) && request['operation'] !== 'DELETE') {
    const told = `Object{metadata: Object.metadata{annotations: {'a': '%s'.format([${random.pick([right(), 'variables.v', 'variables.w', 'params'])}])}}}`;
    return {
      resources: [
        ...parameters,
        registration('MutatingAdmissionPolicy', 'm', {
          ...common,
          matchConstraints: {
            resourceRules: [
              {
                apiGroups: ['*'],
                apiVersions: ['*'],
                operations: ['CREATE', 'UPDATE'],
                resources: ['*'],
              },
            ],
          },
          mutations: [
            { patchType: 'ApplyConfiguration', applyConfiguration: { expression: told } },
          ],
          reinvocationPolicy: 'Never',
        }),
        registration('MutatingAdmissionPolicyBinding', 'm', { policyName: 'm', paramRef }),
      ],
      request,
    };
  }
  return {
    resources: [
      ...parameters,
      registration('ValidatingAdmissionPolicy', 'p', {
        ...common,
        validations: [
          ...random.list(1, 3, () => ({ expression: pair() })),
          { expression: 'variables.w', messageExpression: `'%s'.format([${right()}])` },
          { expression: 'false', messageExpression: `'%s %s'.format([${right()}, ${left()}])` },
        ],
        auditAnnotations: [{ key: 'k', valueExpression: `'%s'.format([variables.v])` }],
      }),
      registration('ValidatingAdmissionPolicyBinding', 'p', {
        policyName: 'p',
        paramRef,
        validationActions: ['Deny', 'Audit'],
      }),
    ],
    request,
  };
}

const namespaceKind = { group: '', version: 'v1', kind: 'Namespace' };

/** A request in a namespace with whatever fields it has, or about one, and policies that tell of it. */
export function namespacesCase(random: Random): JsonObject {
  const own = random.chance(0.3);
  const namespaces = listResources(schemas).find(({ resource }) => resource === 'namespaces');
  const resource = own && namespaces !== undefined ? namespaces : random.pick(kept);
  const request = requestOf(random, resource);
  const namespace = String(request['namespace'] ?? 'web');
  const held = dense(random, namespaceKind, namespace);
  const { namespace: _, ...metadata } = held['metadata'] as JsonObject;
  const labels = random.pick<JsonObject | null | undefined>([
    undefined,
    null,
    {},
    { 'kubernetes.io/metadata.name': 'else' },
    { app: 'web', env: '' },
    { 'x/y': 'a.b_c', env: 'prod' },
  ]);
  const kept0 = { ...held, metadata: { ...metadata, ...(labels === undefined ? {} : { labels }) } };
  const tell = (): string =>
    random.pick([
      () => pathIn(random, 'namespaceObject', kept0),
      () => pathIn(random, 'namespaceObject', kept0),
      () => 'namespaceObject',
      () => `namespaceObject.metadata.?${random.pick(['labels', 'annotations', 'uid'])}`,
      () => 'namespaceObject.status.phase',
      () => 'namespaceObject.spec.finalizers',
      () => 'namespaceObject.metadata.creationTimestamp',
      () => 'type(namespaceObject.metadata.creationTimestamp)',
      () => 'has(namespaceObject.metadata.deletionTimestamp)',
      () => "namespaceObject.metadata.labels['kubernetes.io/metadata.name']",
      () => 'namespaceObject == null',
      () =>
        `${pathIn(random, 'namespaceObject', kept0)} == ${pathIn(random, 'namespaceObject', kept0)}`,
      () => 'dyn(namespaceObject) == dyn(object)',
      () => 'namespaceObject.metadata == object.metadata',
      () => 'namespaceObject.metadata.labels == object.metadata.labels',
      () => 'namespaceObject.metadata.finalizers == object.spec.finalizers',
    ])();
  const matchConstraints = {
    ...everything,
    ...random.some({ namespaceSelector: [0.5, () => oddSelector(random)] }),
  };
  const validations = [
    { expression: `dyn(${tell()}) == dyn(${tell()})` },
    { expression: 'false', messageExpression: `'%s'.format([${tell()}])` },
  ];
  return {
    resources: [
      ...(random.chance(0.9) ? [kept0] : []),
      ...tellingPolicy('p', '', {
        matchConstraints,
        validations,
        auditAnnotations: [{ key: 'k', valueExpression: `'%s'.format([${tell()}])` }],
        matchConditions: [
          { name: 'c', expression: random.pick(['true', 'true', `dyn(${tell()}) != 5`]) },
        ],
      }),
      ...(request['operation'] === 'DELETE' || random.chance(0.5)
        ? []
        : [
            registration('MutatingAdmissionPolicy', 'm', {
              matchConstraints: {
                resourceRules: [
                  {
                    apiGroups: ['*'],
                    apiVersions: ['*'],
                    operations: ['CREATE', 'UPDATE'],
                    resources: ['*'],
                  },
                ],
                ...random.some({ namespaceSelector: [0.5, () => oddSelector(random)] }),
              },
              mutations: [
                {
                  patchType: 'JSONPatch',
                  jsonPatch: {
                    expression: `[JSONPatch{op: 'add', path: '/metadata/annotations', value: {'a': '%s'.format([${tell()}])}}]`,
                  },
                },
              ],
              reinvocationPolicy: 'Never',
            }),
            registration('MutatingAdmissionPolicyBinding', 'm', { policyName: 'm' }),
          ]),
    ],
    request,
  };
}

/** A request to a subresource of any resource, with whatever fields what is sent to it has. */
export function subresourcesCase(random: Random): JsonObject {
  const resource = random.pick(withSubresources);
  const below = random.pick(resource.subresources);
  const { group, version, kind } = below;
  const operation = below.connect
    ? 'CONNECT'
    : below.verbs.includes('create')
      ? 'CREATE'
      : 'UPDATE';
  const sent = (): JsonObject => dense(random, { group, version, kind }, 'web');
  const request = {
    uid: 'u',
    kind: { group, version, kind },
    resource: { group: resource.group, version: resource.version, resource: resource.resource },
    subResource: below.name,
    operation,
    name: 'web',
    ...(resource.namespaced ? { namespace: 'default' } : {}),
    userInfo: { username: 'alice' },
    object: sent(),
    ...(operation === 'UPDATE' ? { oldObject: sent() } : {}),
  };
  const versions = random.pick([['*'], [resource.version], ['v1', 'v1beta1'], ['v2']]);
  const rule = (): JsonObject => ({
    apiGroups: random.pick([['*'], [resource.group], ['', 'apps', 'extensions', 'batch']]),
    apiVersions: versions,
    operations: random.pick([['*'], [operation], ['CREATE', 'UPDATE']]),
    resources: random.pick([
      ['*/*'],
      [`*/${below.name}`],
      [`${resource.resource}/*`],
      [`${resource.resource}/${below.name}`],
      [resource.resource],
      ['*'],
    ]),
    ...random.some({
      scope: [0.2, () => random.pick(['*', 'Namespaced', 'Cluster'])],
      resourceNames: [0.1, () => random.pick([['web'], ['x', 'web'], ['x']])],
    }),
  });
  const match = {
    resourceRules: random.list(1, 2, rule),
    ...random.some({
      matchPolicy: [0.5, () => random.pick(['Exact', 'Equivalent'])],
      excludeResourceRules: [0.2, () => [rule()]],
      objectSelector: [0.2, () => oddSelector(random)],
    }),
  };
  const object = request.object;
  const place = (): string => pathIn(random, 'object', object);
  const told = random.pick([
    "'%s'.format([object])",
    `'%s'.format([${place()}])`,
    "'%s'.format([dyn(request.kind)])",
    "'%s %s %s'.format([dyn(request.resource), request.subResource, dyn(request.requestKind)])",
    "'%s %s'.format([dyn(request.requestResource), request.requestSubResource])",
    "'%s'.format([oldObject])",
    "string(authorizer.requestResource.check('get').reason())",
  ]);
  const validations = [
    { expression: beside(random, place(), place().replace(/^object/, 'oldObject')) },
    { expression: 'false', messageExpression: told },
  ];
  const mutates = operation !== 'CONNECT' && random.chance(0.4);
  const fields = Object.entries(object).filter(([key]) => isField(key) && key !== 'kind');
  const [key, value] = random.pick(fields);
  const mutation = random.chance(0.5)
    ? {
        patchType: 'JSONPatch',
        jsonPatch: {
          expression: `[JSONPatch{op: '${random.pick(['add', 'replace', 'test'])}', path: '/${key}', value: ${celLiteral(value)}}, JSONPatch{op: 'add', path: '/metadata/labels', value: {'a': 'b'}}]`,
        },
      }
    : {
        patchType: 'ApplyConfiguration',
        applyConfiguration: {
          expression: "Object{metadata: Object.metadata{labels: {'a': request.subResource}}}",
        },
      };
  return {
    resources: [
      ...tellingPolicy('p', '', { matchConstraints: match, validations }),
      ...(mutates
        ? [
            registration('MutatingAdmissionPolicy', 'm', {
              matchConstraints: {
                ...match,
                resourceRules: match.resourceRules.map((each) => ({
                  ...each,
                  operations: ['CREATE', 'UPDATE'],
                })),
                excludeResourceRules: [],
              },
              mutations: [mutation],
              reinvocationPolicy: 'IfNeeded',
            }),
            registration('MutatingAdmissionPolicyBinding', 'm', { policyName: 'm' }),
          ]
        : []),
    ],
    request,
  };
}
