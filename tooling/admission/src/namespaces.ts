import type { Random } from '@kubeadmit/random';
import type { JsonObject } from './json-object.ts';
import { changing, everything, mutatingPolicy, patchMutation, tellingPolicy } from './parts.ts';
import { oddSelector } from './selectors.ts';
import { dense, kept, pathIn, requestOf, resources } from './surroundings.ts';

const namespaceKind = { group: '', version: 'v1', kind: 'Namespace' };

/**
 * Returns a case with a request in or for a namespace with random fields, and policies that report those fields.
 */
export function namespacesCase(random: Random): JsonObject {
  const own = random.chance(0.3);
  const namespaces = resources.find(({ resource }) => resource === 'namespaces');
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
        : mutatingPolicy('m', {
            matchConstraints: {
              ...changing,
              ...random.some({ namespaceSelector: [0.5, () => oddSelector(random)] }),
            },
            mutations: [
              patchMutation(
                `[JSONPatch{op: 'add', path: '/metadata/annotations', value: {'a': '%s'.format([${tell()}])}}]`,
              ),
            ],
            reinvocationPolicy: 'Never',
          })),
    ],
    request,
  };
}
