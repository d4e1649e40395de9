import type { GroupVersionKind } from '@kubeadmit/apimachinery';
import { describeValue, getOrMake } from '@kubeadmit/base';
import {
  type CustomKinds,
  type Definition,
  type DefinitionIssue,
  type DefinitionVersion,
  type ReadDefinition,
  readDefinition,
} from '../definitions/definition.ts';
import { NameTable, nameKey, type Registration } from '../names/name-table.ts';
import type { Resource, Subresource } from '../names/names.ts';
import { requireSchemas } from './require-schemas.ts';
import type { Schemas } from './schemas.ts';

/** No definitions. */
export const noCustomKinds: CustomKinds = new Map();

const verbs: readonly string[] = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
];
const subresourceVerbs: readonly string[] = ['get', 'patch', 'update'];

/**
 * Schemas that know the kinds of CustomResourceDefinitions, too. A definition of a group and kind that was known
 * replaces the earlier one. `definitionIssues` lists the problems of definitions; nothing is thrown.
 */
export function withDefinitions(schemas: Schemas, manifests: readonly unknown[]): Schemas {
  requireSchemas('withDefinitions', schemas);
  if (!Array.isArray(manifests)) {
    throw new TypeError(
      `withDefinitions: expected a list of objects, got ${describeValue(manifests)}`,
    );
  }
  return withReadDefinitions(schemas, manifests.map(readDefinition));
}

/**
 * As {@link withDefinitions}, of definitions that were read: one that is the same object as before keeps its
 * resources.
 */
export function withReadDefinitions(
  schemas: Schemas,
  definitions: readonly ReadDefinition[],
): Schemas {
  if (definitions.length === 0) return schemas;
  const custom = new Map(schemas.custom);
  const issues = [...schemas.issues];
  for (const { definition, issues: own } of definitions) {
    issues.push(...own);
    custom.set(nameKey(definition.group, '', definition.kind), definition);
  }
  const all = [...custom.values()].map(namesOf);
  const names = new NameTable(
    schemas.minor,
    all.flatMap(({ resources }) => resources),
    all.flatMap((own) => own.registrations),
  );
  return { ...schemas, names, custom, issues };
}

/** Returns the issues of the definitions that were added to the schemas. */
export function definitionIssues(schemas: Schemas): readonly DefinitionIssue[] {
  return requireSchemas('definitionIssues', schemas).issues;
}

/** The definition of a kind, and its version of it. */
export function findDefinition(
  schemas: Schemas,
  { group, version, kind }: GroupVersionKind,
): { readonly definition: Definition; readonly version?: DefinitionVersion } | undefined {
  if (schemas.custom.size === 0) return undefined;
  const definition = schemas.custom.get(nameKey(group, '', kind));
  if (!definition) return undefined;
  const named = definition.versions.filter(({ name }) => name === version);
  // A definition that has a version twice is refused; until then the last schema counts.
  const found = named.findLast(({ schema }) => schema !== undefined) ?? named[0];
  return found ? { definition, version: found } : { definition };
}

interface DefinedNames {
  readonly resources: readonly Resource[];
  readonly registrations: readonly Registration[];
}

const namesOfDefinitions: WeakMap<Definition, DefinedNames> = new WeakMap();

function namesOf(definition: Definition): DefinedNames {
  return getOrMake(namesOfDefinitions, definition, () => ({
    resources: servedResources(definition),
    registrations: registrations(definition),
  }));
}

function servedResources(definition: Definition): Resource[] {
  return definition.versions
    .filter(({ served }) => served)
    .map((version) => ({
      group: definition.group,
      version: version.name,
      resource: definition.plural,
      kind: definition.kind,
      namespaced: definition.namespaced,
      singular: definition.singular,
      shortNames: definition.shortNames,
      categories: definition.categories,
      verbs,
      subresources: subresourcesOf(definition, version),
      definition: definition.name,
    }));
}

function subresourcesOf(definition: Definition, version: DefinitionVersion): Subresource[] {
  const { group, kind } = definition;
  const status = { name: 'status', group, version: version.name, kind };
  const scale = { name: 'scale', group: 'autoscaling', version: 'v1', kind: 'Scale' };
  return [...(version.hasStatus ? [status] : []), ...(version.hasScale ? [scale] : [])].map(
    (row) => ({ ...row, verbs: subresourceVerbs, connect: false }),
  );
}

/** Versions that are not served count as equivalent, too, as in kube-apiserver. */
function registrations(definition: Definition): Registration[] {
  return definition.versions.map((version) => ({
    group: definition.group,
    version: version.name,
    resource: definition.plural,
    subresources: subresourcesOf(definition, version).map(({ name }) => name),
  }));
}
