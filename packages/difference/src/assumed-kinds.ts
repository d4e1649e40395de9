import { isObject, type JsonObject, objectOf } from '@kubeadmit/apimachinery';
import { getOrMake } from '@kubeadmit/base';
import { hasWildcard, parseKindSelector } from '@kubeadmit/kyverno/patterns';
import { listResources, type Schemas, withDefinitions } from '@kubeadmit/schemas';
import { textsOf } from './covered-kinds.ts';

/** Schemas with the kinds that policies name and nothing defines. */
export interface AssumedKinds {
  readonly schemas: Schemas;
  /** `GROUP/VERSION KIND`, each with any fields. */
  readonly assumed: readonly string[];
  /** The CustomResourceDefinitions that stand for them. */
  readonly definitions: readonly JsonObject[];
}

interface Kind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  /** Whether a policy asks for the status of its objects apart. */
  readonly hasStatus?: boolean;
}

/** The group of a kind that is named without one. */
const unknownGroup = 'unknown.example.com';

/**
 * Adds a definition with arbitrary fields for each kind that policies name, so that custom resources need no
 * CustomResourceDefinition.
 *
 * Versions and scope come from the given objects, if there are any of that kind.
 */
export function withAssumedKinds(
  schemas: Schemas,
  policies: readonly JsonObject[],
  objects: readonly JsonObject[],
): AssumedKinds {
  const known = listResources(schemas);
  const kinds = policies
    .flatMap((policy) => kindsOf(policy, objects))
    .filter((named) => {
      const isKnown = known.some(
        ({ group, kind, resource }) =>
          [group, unknownGroup].includes(named.group) &&
          (kind === named.kind || resource === named.plural),
      );
      return !isKnown && named.group.includes('.');
    });
  const byGroup = new Map<string, Kind[]>();
  for (const kind of kinds) {
    const own = getOrMake(byGroup, `${kind.plural}.${kind.group}`, () => []);
    if (!own.some(({ version }) => version === kind.version)) own.push(kind);
  }
  const definitions = [...byGroup].map(([name, all]) => definitionOf(name, all, objects));
  return {
    definitions,
    schemas: withDefinitions(schemas, definitions),
    assumed: [...byGroup.values()]
      .flat()
      .map(({ group, version, kind }) => `${group}/${version} ${kind}`),
  };
}

function definitionOf(
  name: string,
  kinds: readonly Kind[],
  objects: readonly JsonObject[],
): JsonObject {
  const [first] = kinds as readonly [Kind];
  const own = objects.filter(({ kind }) => kind === first.kind);
  const isPlaced = ({ metadata }: JsonObject): boolean =>
    isObject(metadata) && metadata['namespace'] !== undefined;
  const isCluster = own.length > 0 && !own.some(isPlaced) && clusterKind.test(first.kind);
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name },
    spec: {
      group: first.group,
      names: { plural: first.plural, kind: first.kind, listKind: `${first.kind}List` },
      scope: isCluster ? 'Cluster' : 'Namespaced',
      versions: kinds.map(({ version }, at) => ({
        name: version,
        served: true,
        storage: at === 0,
        ...(kinds.some(({ hasStatus }) => hasStatus === true)
          ? { subresources: { status: {} } }
          : {}),
        schema: { openAPIV3Schema: schemaOf(own) },
      })),
    },
  };
}

// Fields have the type that they share among all objects; otherwise their type is unspecified.
function schemaOf(values: readonly unknown[]): JsonObject {
  const open = { 'x-kubernetes-preserve-unknown-fields': true };
  if (values.every(isObject)) {
    const keys = new Set(values.flatMap((value) => Object.keys(value)));
    const properties = [...keys]
      .filter((key) => !['apiVersion', 'kind', 'metadata', 'status'].includes(key))
      .map((key) => {
        const given = values.flatMap((value) => value[key] ?? []);
        const isList = values.some((value) => Array.isArray(value[key]));
        return [key, isList ? listOf(values.map((value) => value[key])) : schemaOf(given)];
      });
    return { type: 'object', ...open, properties: Object.fromEntries(properties) };
  }
  const types = new Set(values.map((value) => typeof value));
  if (types.size > 1) return open;
  if (types.has('string')) return { type: 'string' };
  if (types.has('boolean')) return { type: 'boolean' };
  return values.every((value) => Number.isInteger(Number(value)))
    ? { type: 'integer' }
    : { type: 'number' };
}

function listOf(values: readonly unknown[]): JsonObject {
  const given = values.filter((value) => value !== undefined && value !== null);
  const items = given.flat();
  if (!given.every(Array.isArray)) return { 'x-kubernetes-preserve-unknown-fields': true };
  return {
    type: 'array',
    items: items.length === 0 ? { 'x-kubernetes-preserve-unknown-fields': true } : schemaOf(items),
  };
}

// Objects without a namespace may be written for whichever is current.
const clusterKind = /^Cluster|Class$/;

function kindsOf(policy: JsonObject, objects: readonly JsonObject[]): readonly Kind[] {
  const spec = objectOf(policy['spec']);
  if (spec['rules'] !== undefined) {
    return selectorsIn(spec['rules']).flatMap((text) => kindsOfSelector(text, objects));
  }
  const constraints = objectOf(spec['matchConstraints']);
  const rules = constraints['resourceRules'];
  return (Array.isArray(rules) ? rules.filter(isObject) : []).flatMap((rule) =>
    kindsOfRule(rule, objects),
  );
}

/** The texts of `kinds` anywhere within rules of Kyverno. */
export function selectorsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(selectorsIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    key === 'kinds' ? textsOf(item) : selectorsIn(item),
  );
}

function kindsOfSelector(text: string, objects: readonly JsonObject[]): readonly Kind[] {
  const { group, version, kind, subresource } = parseKindSelector(text);
  const hasStatus = subresource === 'status';
  if (!/^[A-Z]\w*$/.test(kind)) return [];
  const own = objects.filter((object) => object['kind'] === kind).map(groupVersionOf);
  const fitting = own.filter(
    (each) => ['*', each.group].includes(group) && ['*', each.version].includes(version),
  );
  const plural = pluralOf(kind);
  if (fitting.length > 0) return fitting.map((each) => ({ ...each, kind, plural, hasStatus }));
  const isNamed = (part: string): boolean => part !== '' && !hasWildcard(part);
  return [
    {
      group: isNamed(group) ? group : unknownGroup,
      version: isNamed(version) ? version : 'v1',
      kind,
      plural,
      hasStatus,
    },
  ];
}

function kindsOfRule(rule: JsonObject, objects: readonly JsonObject[]): readonly Kind[] {
  const versions = textsOf(rule['apiVersions']);
  return textsOf(rule['apiGroups']).flatMap((group) =>
    textsOf(rule['resources']).flatMap((resource) => {
      if (/[*/]/.test(resource) || group === '*') return [];
      const given = objects.find(
        (object) =>
          groupVersionOf(object).group === group && pluralOf(String(object['kind'])) === resource,
      );
      const kind = given === undefined ? singularOf(resource) : String(given['kind']);
      return versions.map((version) => ({
        group,
        version: version === '*' ? (given && groupVersionOf(given).version) || 'v1' : version,
        kind,
        plural: resource,
      }));
    }),
  );
}

function groupVersionOf({ apiVersion }: JsonObject): { group: string; version: string } {
  const [version = '', group = ''] = String(apiVersion).split('/').reverse();
  return { group, version };
}

function pluralOf(kind: string): string {
  const name = kind.toLowerCase();
  if (/[^aeiou]y$/.test(name)) return `${name.slice(0, -1)}ies`;
  return /(?:s|x|ch|sh)$/.test(name) ? `${name}es` : `${name}s`;
}

function singularOf(plural: string): string {
  const name = plural
    .replace(/ies$/, 'y')
    .replace(/(s|x|ch|sh)es$/, '$1')
    .replace(/([^s])s$/, '$1');
  return name.charAt(0).toUpperCase() + name.slice(1);
}
