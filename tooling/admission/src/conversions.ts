import type { Random } from '@kubeadmit/random';
import type { Resource } from '@kubeadmit/schemas';
import { applied, families, objectOf, patched, requestOf } from './dense.ts';
import type { JsonObject } from './json-object.ts';
import { mutatingPolicy, validatingPolicy } from './parts.ts';

/** Kinds whose versions differ in more than their fields come up most. */
const converted = families.filter((family) =>
  family.some(({ group }) => group === 'autoscaling' || group === 'resource.k8s.io'),
);

/** A request in one version of a resource, which policies read and change in other versions. */
export function conversionCase(random: Random): JsonObject {
  const family = random.pick(random.chance(0.7) ? converted : families);
  const asked = random.pick(family);
  const request = requestOf(random, asked, random.pick(['CREATE', 'CREATE', 'UPDATE']));
  for (const key of ['object', 'oldObject'])
    if (key in request) request[key] = withEmpty(random, request[key]);
  const mutating = random.list(0, 3, (index) => mutation(random, `m${index}`, random.pick(family)));
  const validating = random.list(1, 2, (index) => telling(random, `v${index}`, family));
  return { resources: [...mutating.flat(), ...validating.flat()], request };
}

function aboutVersion({ group, version, resource }: Resource): JsonObject {
  const rule = { apiGroups: [group], apiVersions: [version], resources: [resource] };
  return { resourceRules: [{ ...rule, operations: ['CREATE', 'UPDATE'] }] };
}

function mutation(random: Random, name: string, seen: Resource): JsonObject[] {
  const other = (): JsonObject => withEmpty(random, objectOf(random, seen)) as JsonObject;
  return mutatingPolicy(name, {
    matchConstraints: aboutVersion(seen),
    mutations: random.list(1, 2, () =>
      random.chance(0.6) ? applied(random, other()) : patched(random, other()),
    ),
    reinvocationPolicy: random.pick(['Never', 'IfNeeded']),
  });
}

function telling(random: Random, name: string, family: readonly Resource[]): JsonObject[] {
  const seen = random.pick(family);
  const told = random.pick(['object', 'object.spec', 'object.metadata', 'oldObject']);
  return validatingPolicy(name, {
    matchConstraints: aboutVersion(seen),
    validations: [
      { expression: 'object == oldObject', messageExpression: `'%s'.format([${told}])` },
    ],
  });
}

/** A value with lists and maps in it that have nothing in them. */
function withEmpty(random: Random, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('metadata' in value && 'apiVersion' in value) return emptied(random, value);
  if (random.chance(0.08)) return Array.isArray(value) ? [] : {};
  return emptied(random, value);
}

function emptied(random: Random, value: object): unknown {
  if (Array.isArray(value)) return value.map((item) => withEmpty(random, item));
  const entries = Object.entries(value).map(([key, item]) => [
    key,
    key === 'metadata' ? item : withEmpty(random, item),
  ]);
  return Object.fromEntries(entries);
}
