import {
  type GroupVersionKind,
  member,
  memberObject,
  memberObjects,
  memberText,
} from '@kubeadmit/apimachinery';
import { compareText } from '@kubeadmit/go';
import { findResourceOfKind } from '@kubeadmit/schemas';
import { structOf } from '@kubeadmit/schemas/types';
import { definitionVersion } from '../definitions/conditions.ts';
import { servedGroups } from '../discovery/served-groups.ts';
import type { Machinery } from '../machinery/machinery.ts';
import { ComponentSchemas, type OpenApiSchema } from './component-schemas.ts';
import { describe } from './descriptions.ts';
import { addOperations, type Paths } from './operations.ts';
import { customSchemaName } from './schema-names.ts';

/** An OpenAPI 3 document of a group and version. */
export interface OpenApiDocument {
  readonly openapi: '3.0.0';
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Paths;
  readonly components: { readonly schemas: Readonly<Record<string, OpenApiSchema>> };
}

/** The OpenAPI 3 document of a group and version; undefined for an unknown one. */
export function openApiDocument(
  machinery: Machinery,
  group: string,
  version: string,
): OpenApiDocument | undefined {
  const { schemas } = machinery.cluster;
  const served = servedGroups(schemas)
    .find(({ name }) => name === group)
    ?.versions.find((each) => each.version === version);
  if (served === undefined) return undefined;
  const components = new ComponentSchemas(schemas);
  const paths: Paths = {};
  const schemaOf = (kind: GroupVersionKind): string => addKind(components, machinery, kind);
  const listOf = (kind: GroupVersionKind): string => addListKind(components, machinery, kind);
  for (const resource of served.resources) addOperations(paths, resource, { schemaOf, listOf });
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: `v${machinery.options.kubernetesVersion}` },
    paths,
    components: { schemas: describe(sorted(components.made)) },
  };
}

function sorted<Value>(record: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => compareText(a, b)));
}

function addKind(
  components: ComponentSchemas,
  machinery: Machinery,
  kind: GroupVersionKind,
): string {
  const { schemas } = machinery.cluster;
  const struct = structOf(schemas, kind);
  const name =
    struct === undefined ? addCustomKind(components, machinery, kind) : components.add(struct.name);
  const schema = components.made[name];
  if (schema !== undefined) {
    const { group, version } = kind;
    schema['x-kubernetes-group-version-kind'] = [{ group, kind: kind.kind, version }];
  }
  return name;
}

// `listKind` of a definition, or the kind with `List`.
function addListKind(
  components: ComponentSchemas,
  machinery: Machinery,
  kind: GroupVersionKind,
): string {
  const item = addKind(components, machinery, kind);
  const { cluster } = machinery;
  const resource = findResourceOfKind(cluster.schemas, kind);
  const definition = cluster.definition(resource?.definition ?? '');
  const names = member(member(definition, 'spec'), 'names');
  const listKind = memberText(names, 'listKind') || `${kind.kind}List`;
  const name = `${item.slice(0, item.lastIndexOf('.'))}.${listKind}`;
  const { group, version } = kind;
  const reference = (schema: string): OpenApiSchema => ({ $ref: `#/components/schemas/${schema}` });
  components.made[name] ??= {
    type: 'object',
    properties: {
      apiVersion: { type: 'string' },
      items: { type: 'array', items: { allOf: [reference(item)] } },
      kind: { type: 'string' },
      metadata: { allOf: [reference(components.add('meta.v1.ListMeta'))] },
    },
    required: ['items'],
    'x-kubernetes-group-version-kind': [{ group, kind: listKind, version }],
  };
  return name;
}

const metadataDescription =
  "Standard object's metadata: its name, its labels and what the server keeps about it.";

function addCustomKind(
  components: ComponentSchemas,
  machinery: Machinery,
  kind: GroupVersionKind,
): string {
  const name = customSchemaName(kind.group, kind.version, kind.kind);
  if (Object.hasOwn(components.made, name)) return name;
  const declared = customSchema(machinery, kind);
  const metadata = { $ref: `#/components/schemas/${components.add('meta.v1.ObjectMeta')}` };
  const properties = (declared['properties'] ?? {}) as Record<string, OpenApiSchema>;
  components.made[name] = {
    ...declared,
    type: 'object',
    properties: sorted({
      ...properties,
      apiVersion: {
        type: 'string',
        description: 'APIVersion defines the group and the version that the object is written in.',
      },
      kind: { type: 'string', description: 'Kind says what the object is, within its group.' },
      metadata: { description: metadataDescription, allOf: [metadata] },
    }),
  };
  return name;
}

function customSchema({ cluster }: Machinery, kind: GroupVersionKind): OpenApiSchema {
  const resource = findResourceOfKind(cluster.schemas, kind);
  const definition = cluster.definition(resource?.definition ?? '');
  const version = definitionVersion(definition, kind.version);
  const selectable = memberObjects(version, 'selectableFields').map((field) => ({
    fieldPath: memberText(field, 'jsonPath').replace(/^\./, ''),
  }));
  return {
    ...memberObject(member(version, 'schema'), 'openAPIV3Schema'),
    ...(selectable.length === 0 ? {} : { [selectableKey]: selectable }),
  };
}

const selectableKey = 'x-kubernetes-selectable-fields';
