import type { GroupVersionKind } from '@kubeadmit/apimachinery';
import type { Random } from '@kubeadmit/random';
import {
  findResourceOfKind,
  listResources,
  loadSchemas,
  type Resource,
  type Schemas,
} from '@kubeadmit/schemas';
import { listKinds } from '@kubeadmit/schemas/types';
import { makeObject } from '@kubeadmit/schemas-tooling';
import { randomCondition } from './expressions.ts';
import type { JsonObject } from './json-object.ts';
import {
  applyMutation,
  changing,
  mutatingPolicy,
  objectsOf,
  patchMutation,
  requestAbout,
  tellingPolicy,
  validatingPolicy,
} from './parts.ts';
import { celLiteral, celPath, isField, placesOf, pointer, valueLike } from './places.ts';

/** The facts that these cases are made of. */
export const schemas: Schemas = await loadSchemas();
const untyped = ['apiextensions.k8s.io', 'apiregistration.k8s.io'];
const exempt = /admissionpolic/;
// Its default is the time of the request.
const readsClock = 'DeviceTaintRule';
/** Kinds whose objects can be generated and printed. */
export const kinds: readonly GroupVersionKind[] = listKinds(schemas).filter(
  (kind) =>
    !untyped.includes(kind.group) &&
    kind.kind !== readsClock &&
    findResourceOfKind(schemas, kind)?.verbs.includes('create') === true,
);

/** The versions in which each resource is served that has several, whatever their group. */
export const families: readonly (readonly Resource[])[] = familiesOf(listResources(schemas));

function familiesOf(resources: readonly Resource[]): (readonly Resource[])[] {
  const byName = new Map<string, Resource[]>();
  for (const resource of resources) {
    if (!resource.verbs.includes('create') || untyped.includes(resource.group)) continue;
    if (exempt.test(resource.resource) || resource.kind === readsClock) continue;
    const key =
      resource.resource === 'events' ? 'events' : `${resource.group}/${resource.resource}`;
    byName.set(key, [...(byName.get(key) ?? []), resource]);
  }
  return [...byName.values()].filter(({ length }) => length > 1);
}

/** An object of a kind, called `web`, with few or many of its fields. */
export function objectOf(random: Random, kind: GroupVersionKind): JsonObject {
  const density = random.pick([0.1, 0.2, 0.35, 0.5]);
  const object = makeObject(schemas, kind, { density, mistakes: 0, depth: 7 }, random);
  const metadata = (object['metadata'] ?? {}) as JsonObject;
  return { ...object, metadata: { ...metadata, name: 'web' } };
}

export function requestOf(random: Random, resource: Resource, operation: string): JsonObject {
  return requestAbout(resource, {
    operation,
    ...(resource.namespaced ? { namespace: 'default' } : {}),
    ...objectsOf(operation, () => objectOf(random, resource)),
  });
}

/** A request about any kind, with whatever fields it has, and a policy that prints some of them. */
export function denseCase(random: Random): JsonObject {
  const resource = findResourceOfKind(schemas, random.pick(kinds)) as Resource;
  const request = requestOf(random, resource, random.pick(['CREATE', 'UPDATE', 'DELETE']));
  const object = (request['object'] ?? request['oldObject']) as JsonObject;
  const root = 'object' in request ? 'object' : 'oldObject';
  const { path } = random.pick(placesOf(object));
  const text = `'%s'.format([${celPath(root, path)}])`;
  const subject = { object, hasParams: false };
  const conditions = random.list(1, 3, () => ({
    expression: comparisonOf(random, object) ?? randomCondition(random, subject),
  }));
  const validations = [...conditions, { expression: 'false', messageExpression: text }];
  const variables = ['images', 'bad', 'name', 'later'].map((name) => ({ name, expression: '1' }));
  return { resources: tellingPolicy('p', text, { validations, variables }), request };
}

function comparisonOf(random: Random, object: JsonObject): string | undefined {
  if (random.chance(0.4)) return undefined;
  const places = placesOf(object);
  const left = celPath('object', random.pick(places).path);
  const right = random.pick([
    () => left.replace('object', 'oldObject'),
    () => celPath('object', random.pick(places).path),
    () => `dyn(${celLiteral(random.pick(places).value)})`,
  ])();
  return random.pick([
    `${left} == ${right}`,
    `[${left}] == [${right}]`,
    `${left} in [${right}]`,
    `!(${left} != ${right})`,
    `dyn({'a': ${left}}) == dyn({'a': ${right}})`,
    `${left} + ${right} == ${right} + ${left}`,
    `${left}.all(e, ${right}.exists(f, e == f))`,
    `${left}.size() == ${right}.size()`,
    `type(${left}) == type(${right})`,
    `string(${left}) == string(${right})`,
    `${left} < ${right}`,
    `optional.ofNonZeroValue(${left}).hasValue() == optional.ofNonZeroValue(${right}).hasValue()`,
  ]);
}

/** A request about any kind, changed to parts of another object of that kind. */
export function denseMutationCase(random: Random): JsonObject {
  const resource = findResourceOfKind(schemas, random.pick(kinds)) as Resource;
  const request = requestOf(random, resource, random.pick(['CREATE', 'UPDATE']));
  const other = (): JsonObject => objectOf(random, resource);
  const spec = {
    matchConstraints: changing,
    mutations: random.list(1, 2, () =>
      random.chance(0.7) ? applied(random, other()) : patched(random, other()),
    ),
    reinvocationPolicy: random.pick(['Never', 'IfNeeded']),
  };
  return {
    resources: mutatingPolicy('m', spec),
    request,
  };
}

/** An apply configuration with some of the fields of an object. */
export function applied(random: Random, object: JsonObject): JsonObject {
  const { apiVersion: _, kind: __, metadata, ...rest } = object;
  const { name: ___, ...about } = metadata as JsonObject;
  const wanted = { ...(random.chance(0.3) ? { metadata: about } : {}), ...rest };
  const expression = written(random, 'Object', wanted, random.pick([0.1, 0.3, 0.6]));
  return applyMutation(expression);
}

// Writes some of the fields of an object, always including the keys of list elements.
function written(random: Random, type: string, value: unknown, share: number): string {
  if (Array.isArray(value))
    return `[${value.map((item) => written(random, type, item, share)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return celLiteral(value);
  const isMap = Object.keys(value).some((key) => !isField(key));
  const names =
    /^(name|port|containerPort|key|type|uid|ip|mountPath|devicePath|topologyKey|driver)$/;
  const fields = Object.entries(value)
    .filter(([key]) => random.chance(names.test(key) ? 0.9 : share))
    .map(([key, inner]) => {
      if (!isMap) return `${key}: ${written(random, `${type}.${key}`, inner, share)}`;
      return `${celLiteral(key)}: dyn(${written(random, `${type}.${key}`, inner, share)})`;
    });
  return isMap ? `{${fields.join(', ')}}` : `${type}{${fields.join(', ')}}`;
}

/** A JSON patch that puts parts of an object where they stand in it. */
export function patched(random: Random, object: JsonObject): JsonObject {
  const places = placesOf(object).filter(({ path }) => path.length > 0);
  const operations = random.list(1, 4, () => {
    const { path, value } = random.pick(places);
    const op = random.pick(['add', 'add', 'replace', 'test', 'remove', 'copy', 'move']);
    const text = celLiteral(pointer(path));
    if (op === 'remove') return `JSONPatch{op: 'remove', path: ${text}}`;
    if (op === 'copy' || op === 'move') {
      const from = celLiteral(pointer(random.pick(places).path));
      return `JSONPatch{op: '${op}', from: ${from}, path: ${text}}`;
    }
    const given = random.chance(0.8) ? celLiteral(value) : valueLike(random, value);
    return `JSONPatch{op: '${op}', path: ${text}, value: ${given}}`;
  });
  const expression = `[${operations.join(', ')}]`;
  return patchMutation(expression);
}

/** A request in one version of a resource, and policies and parameters of others. */
export function versionsCase(random: Random): JsonObject {
  const family = random.pick(families);
  const asked = random.pick(family);
  const request = requestOf(random, asked, random.pick(['CREATE', 'UPDATE', 'DELETE']));
  const status = asked.subresources.find(({ name }) => name === 'status');
  if (status !== undefined && request['operation'] === 'UPDATE' && random.chance(0.2))
    request['subResource'] = 'status';
  // Of several others a server takes the one that it prefers, and the oracle the first by name.
  const other = random.pick(family);
  const about = (): JsonObject => {
    const some = random.list(1, 2, () => random.pick([asked, other]));
    return {
      apiGroups: [...new Set(some.map(({ group }) => group))],
      apiVersions: [...new Set(some.map(({ version }) => version))],
      operations: ['*'],
      resources: [random.pick(['*', asked.resource, asked.resource, `${asked.resource}/*`])],
      ...(random.chance(0.1) ? { resourceNames: [random.pick(['web', 'x'])] } : {}),
    };
  };
  const match = (least: number): JsonObject => ({
    resourceRules: random.list(least, 2, about),
    ...random.some({
      matchPolicy: [0.4, () => random.pick(['Exact', 'Equivalent'])],
      excludeResourceRules: [0.15, () => [about()]],
      objectSelector: [0.1, () => ({ matchExpressions: [{ key: 'a', operator: 'DoesNotExist' }] })],
    }),
  });
  const stored = random.pick(family);
  const paramKind = random.pick(family);
  const name = ({ group, version }: Resource): string =>
    group === '' ? version : `${group}/${version}`;
  const hasParams = random.chance(0.4);
  const told = random.pick([
    "'%s'.format([object])",
    "'%s'.format([oldObject])",
    "'%s %s'.format([dyn(request.kind), dyn(request.requestKind)])",
    "'%s %s'.format([dyn(request.resource), dyn(request.requestResource)])",
    "'%s'.format([object.spec])",
    ...(hasParams ? ["'%s'.format([params])", "'%s'.format([params.spec])"] : []),
  ]);
  const spec = {
    matchConstraints: match(1),
    ...(hasParams ? { paramKind: { apiVersion: name(paramKind), kind: paramKind.kind } } : {}),
    matchConditions: [
      {
        name: 'c',
        expression: random.pick(['true', "request.kind.version != 'v9'", 'has(object.metadata)']),
      },
    ],
    validations: [{ expression: 'object == oldObject', messageExpression: told }],
    auditAnnotations: [{ key: 'k', valueExpression: told }],
  };
  // A server reads stored objects, in which a pointer to the zero time is null.
  const parameter = JSON.parse(
    JSON.stringify(objectOf(random, stored)).replaceAll('0001-', '2001-'),
  ) as JsonObject;
  const metadata = parameter['metadata'] as JsonObject;
  const kept: JsonObject = {
    ...parameter,
    metadata: { ...metadata, name: 'one', ...(stored.namespaced ? { namespace: 'default' } : {}) },
  };
  const reference = {
    ...random.pick<JsonObject>([{ name: 'one' }, { selector: {} }]),
    parameterNotFoundAction: random.pick(['Deny', 'Allow']),
  };
  return {
    resources: [
      ...(hasParams ? [kept] : []),
      ...validatingPolicy('p', spec, {
        validationActions: ['Deny', 'Audit'],
        ...(hasParams ? { paramRef: reference } : {}),
        ...(random.chance(0.3) ? { matchResources: match(0) } : {}),
      }),
    ],
    request,
  };
}
