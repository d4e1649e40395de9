import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { own } from '../json.ts';
import { readStructural, SchemaProblem, type StructuralSchema } from './structural.ts';

/** A CustomResourceDefinition, read leniently: what is missing has the server's default. */
export interface Definition {
  /** `metadata.name`. */
  readonly name: string;
  readonly group: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly versions: readonly DefinitionVersion[];
}

/** Definitions by group and kind. */
export type CustomKinds = ReadonlyMap<string, Definition>;

/** One version of a definition. */
export interface DefinitionVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly hasStatus: boolean;
  readonly hasScale: boolean;
  readonly schema?: StructuralSchema;
}

/** Why a definition cannot be used as it stands. */
export interface DefinitionIssue {
  /** `metadata.name` of the definition. */
  readonly definition: string;
  readonly message: string;
  /** True when it is about the schema of a version, in kube-apiserver's words. */
  readonly isSchema: boolean;
}

/** Tells whether a manifest is a CustomResourceDefinition. */
export function isDefinition(manifest: unknown): manifest is JsonObject {
  return (
    isObject(manifest) &&
    own(manifest, 'kind') === 'CustomResourceDefinition' &&
    own(manifest, 'apiVersion') === 'apiextensions.k8s.io/v1'
  );
}

/** Reads a CustomResourceDefinition of `apiextensions.k8s.io/v1`, with all that is wrong with its schemas. */
export function readDefinition(manifest: unknown): {
  readonly definition: Definition;
  readonly issues: readonly DefinitionIssue[];
} {
  const root = objectOf(manifest);
  const spec = objectOf(own(root, 'spec'));
  const names = objectOf(own(spec, 'names'));
  const name = textOf(own(objectOf(own(root, 'metadata')), 'name'));
  const kind = textOf(own(names, 'kind'));
  const issues: DefinitionIssue[] = [];
  const versions = listOf(own(spec, 'versions')).map((version) => {
    const read = readVersion(objectOf(version));
    if (!(read.schema instanceof SchemaProblem)) return read as DefinitionVersion;
    issues.push({ definition: name, message: read.schema.message, isSchema: true });
    const { schema: _, ...rest } = read;
    return rest;
  });
  const definition: Definition = {
    name,
    group: textOf(own(spec, 'group')),
    kind,
    listKind: textOf(own(names, 'listKind')) || `${kind}List`,
    plural: textOf(own(names, 'plural')),
    singular: textOf(own(names, 'singular')) || kind.toLowerCase(),
    shortNames: listOf(own(names, 'shortNames')).map(textOf),
    categories: listOf(own(names, 'categories')).map(textOf),
    namespaced: own(spec, 'scope') === 'Namespaced',
    versions,
  };
  if (definition.group === '' || kind === '' || definition.plural === '') {
    issues.push({
      definition: name,
      message: 'the definition has no group, kind or plural name',
      isSchema: false,
    });
  }
  return { definition, issues };
}

type ReadVersion = Omit<DefinitionVersion, 'schema'> & {
  readonly schema?: StructuralSchema | SchemaProblem;
};

function readVersion(version: JsonObject): ReadVersion {
  const subresources = objectOf(own(version, 'subresources'));
  const schema = own(objectOf(own(version, 'schema')), 'openAPIV3Schema');
  return {
    name: textOf(own(version, 'name')),
    served: own(version, 'served') === true,
    storage: own(version, 'storage') === true,
    hasStatus: isObject(own(subresources, 'status')),
    hasScale: isObject(own(subresources, 'scale')),
    ...(isObject(schema) ? { schema: readStructural(schema) } : {}),
  };
}

function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
