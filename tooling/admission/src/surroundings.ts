import type { GroupVersionKind } from '@kubeadmit/apimachinery';
import type { Random } from '@kubeadmit/random';
import { listResources, loadSchemas, type Resource } from '@kubeadmit/schemas';
import { makeObject } from '@kubeadmit/schemas-tooling';
import type { JsonObject } from './json-object.ts';
import { objectsOf, requestAbout } from './parts.ts';
import { celPath, placesOf } from './places.ts';

const schemas = await loadSchemas();

/** Resources of which cases make objects: those of groups that only describe others are not. */
export const resources: readonly Resource[] = listResources(schemas).filter(
  ({ group }) => group !== 'apiextensions.k8s.io' && group !== 'apiregistration.k8s.io',
);

/** Resources whose objects can be parameters; the default of a device taint is the time of the request. */
export const kept: readonly Resource[] = resources.filter(
  ({ kind, resource, verbs }) =>
    !/admissionpolic/.test(resource) &&
    kind !== 'DeviceTaintRule' &&
    kind !== 'ResourceSlice' &&
    ['create', 'list', 'watch'].every((verb) => verbs.includes(verb)),
);

/** An object of a kind with many or few of its fields, as a server holds it. */
export function dense(random: Random, kind: GroupVersionKind, name: string): JsonObject {
  const density = random.pick([0.05, 0.15, 0.3, 0.5]);
  const object = makeObject(schemas, kind, { density, mistakes: 0, depth: 6 }, random);
  const metadata = (object['metadata'] ?? {}) as JsonObject;
  const stored = { ...object, metadata: { ...metadata, name } };
  // A server reads stored objects, in which a pointer to the zero time is null.
  return JSON.parse(JSON.stringify(stored).replaceAll('0001-', '2001-')) as JsonObject;
}

export function requestOf(random: Random, resource: Resource): JsonObject {
  const operation = random.pick(['CREATE', 'UPDATE', 'DELETE']);
  return requestAbout(resource, {
    operation,
    ...(resource.namespaced ? { namespace: random.pick(['default', 'prod']) } : {}),
    ...objectsOf(operation, () => dense(random, resource, 'web')),
  });
}

/** A part of the first value and a part of the second, printed or compared. */
export function beside(random: Random, left: string, right: string): string {
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

/** A path from a root to a place in an object, or now and then to one that is not there. */
export function pathIn(random: Random, root: string, object: JsonObject | undefined): string {
  if (object === undefined) return root;
  const { path } = random.pick(placesOf(object));
  const missing = random.chance(0.08) ? [...path, 'nope'] : path;
  return celPath(root, missing);
}
