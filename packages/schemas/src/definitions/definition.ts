import {
  isObject,
  type JsonObject,
  member,
  memberList,
  memberObject,
  memberText,
  objectOf,
  textOf,
} from '@kubeadmit/apimachinery';
import { readStructural, SchemaProblem, type StructuralSchema } from './structural.ts';

/** A CustomResourceDefinition, read leniently: missing fields have the server's defaults. */
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

/** The paths in a custom resource of the fields of its scale, such as `.spec.replicas`; empty if it has none. */
export interface ScaleFields {
  /** The path of the wanted replicas. */
  readonly specReplicasPath: string;
  /** The path of the observed replicas. */
  readonly statusReplicasPath: string;
  /** The path of the selector; empty without one. */
  readonly labelSelectorPath: string;
}

/** One version of a definition. */
export interface DefinitionVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly hasStatus: boolean;
  readonly hasScale: boolean;
  /** Where it is, when it has one. */
  readonly scale?: ScaleFields;
  /** Paths such as `.spec.color` that field selectors may name. */
  readonly selectableFields: readonly string[];
  readonly schema?: StructuralSchema;
}

/** The reason why a definition cannot be used. */
export interface DefinitionIssue {
  /** `metadata.name` of the definition. */
  readonly definition: string;
  /** The message. */
  readonly message: string;
  /** True when it is about the schema of a version, in kube-apiserver's words. */
  readonly isSchema: boolean;
}

/** Whether a manifest is a CustomResourceDefinition. */
export function isDefinition(manifest: unknown): manifest is JsonObject {
  return (
    isObject(manifest) &&
    member(manifest, 'kind') === 'CustomResourceDefinition' &&
    member(manifest, 'apiVersion') === 'apiextensions.k8s.io/v1'
  );
}

/** A CustomResourceDefinition with all that is wrong with it. */
export interface ReadDefinition {
  /** The definition; versions with an invalid schema have none. */
  readonly definition: Definition;
  /** The problems of its schemas. */
  readonly issues: readonly DefinitionIssue[];
}

/** Reads a CustomResourceDefinition of `apiextensions.k8s.io/v1`, with all that is wrong with its schemas. */
export function readDefinition(manifest: unknown): ReadDefinition {
  const root = objectOf(manifest);
  const spec = memberObject(root, 'spec');
  const names = memberObject(spec, 'names');
  const name = memberText(memberObject(root, 'metadata'), 'name');
  const kind = memberText(names, 'kind');
  const issues: DefinitionIssue[] = [];
  const versions = memberList(spec, 'versions').map((version) => {
    const read = readVersion(objectOf(version));
    if (!(read.schema instanceof SchemaProblem)) return read as DefinitionVersion;
    issues.push({ definition: name, message: read.schema.message, isSchema: true });
    const { schema: _, ...rest } = read;
    return rest;
  });
  const definition: Definition = {
    name,
    group: memberText(spec, 'group'),
    kind,
    listKind: memberText(names, 'listKind') || `${kind}List`,
    plural: memberText(names, 'plural'),
    singular: memberText(names, 'singular') || kind.toLowerCase(),
    shortNames: memberList(names, 'shortNames').map(textOf),
    categories: memberList(names, 'categories').map(textOf),
    namespaced: member(spec, 'scope') === 'Namespaced',
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
  const subresources = memberObject(version, 'subresources');
  const schema = member(memberObject(version, 'schema'), 'openAPIV3Schema');
  return {
    name: memberText(version, 'name'),
    served: member(version, 'served') === true,
    storage: member(version, 'storage') === true,
    hasStatus: isObject(member(subresources, 'status')),
    hasScale: isObject(member(subresources, 'scale')),
    ...(isObject(member(subresources, 'scale')) ? { scale: readScale(subresources) } : {}),
    selectableFields: memberList(version, 'selectableFields').map((field) =>
      memberText(objectOf(field), 'jsonPath'),
    ),
    ...(isObject(schema) ? { schema: readStructural(schema) } : {}),
  };
}

function readScale(subresources: JsonObject): ScaleFields {
  const scale = memberObject(subresources, 'scale');
  return {
    specReplicasPath: memberText(scale, 'specReplicasPath'),
    statusReplicasPath: memberText(scale, 'statusReplicasPath'),
    labelSelectorPath: memberText(scale, 'labelSelectorPath'),
  };
}
