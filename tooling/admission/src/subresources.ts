import type { Random } from '@kubeadmit/random';
import type { Resource } from '@kubeadmit/schemas';
import type { JsonObject } from './json-object.ts';
import {
  applyMutation,
  mutatingPolicy,
  patchMutation,
  requestAbout,
  tellingPolicy,
} from './parts.ts';
import { celLiteral, isField } from './places.ts';
import { oddSelector } from './selectors.ts';
import { beside, dense, pathIn, resources } from './surroundings.ts';

/** Resources with something below them that is created, updated or connected to. */
const withSubresources: readonly Resource[] = resources.filter(
  ({ kind, subresources }) => kind !== 'DeviceTaintRule' && subresources.length > 0,
);

/** A request to a subresource of any resource, with random fields of its body. */
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
  const object = sent();
  const request = requestAbout(resource, {
    kind: { group, version, kind },
    subResource: below.name,
    operation,
    ...(resource.namespaced ? { namespace: 'default' } : {}),
    object,
    ...(operation === 'UPDATE' ? { oldObject: sent() } : {}),
  });
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
    ? patchMutation(
        `[JSONPatch{op: '${random.pick(['add', 'replace', 'test'])}', path: '/${key}', value: ${celLiteral(value)}}, JSONPatch{op: 'add', path: '/metadata/labels', value: {'a': 'b'}}]`,
      )
    : applyMutation("Object{metadata: Object.metadata{labels: {'a': request.subResource}}}");
  return {
    resources: [
      ...tellingPolicy('p', '', { matchConstraints: match, validations }),
      ...(mutates
        ? mutatingPolicy('m', {
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
          })
        : []),
    ],
    request,
  };
}
