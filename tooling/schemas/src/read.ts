import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type FieldFacts,
  type FieldModel,
  type GroupRow,
  type KindRow,
  type ResourceRow,
  type SubresourceRow,
  shortName,
  type TypeModel,
  type VersionModel,
} from './model.ts';
import { goType, schemaOf } from './shape.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly default?: unknown;
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly [extension: `x-kubernetes-${string}`]: unknown;
}

interface GroupVersionFile {
  readonly group: string;
  readonly version: string;
  readonly kinds?: Readonly<Record<string, string>>;
  readonly resources?: Readonly<
    Record<string, Omit<ResourceRow, 'resource' | 'subresources'> & RawSubresources>
  >;
  readonly schemas: Readonly<Record<string, Schema>>;
}

interface RawSubresources {
  readonly subresources: Readonly<Record<string, Omit<SubresourceRow, 'name'>>>;
}

interface GoFields {
  readonly kinds: Readonly<Record<string, string>>;
  readonly types: Readonly<Record<string, readonly GoField[]>>;
}

type GoField = readonly [name: string, shape: string, go: string, inside: string];

/** Kinds that exist in every group and are not stored in a cluster. */
const everywhere: ReadonlySet<string> = new Set(['DeleteOptions', 'WatchEvent']);

/**
 * Reads the facts of one version.
 * @param openapi the folder of the version with its group/version files
 * @param fields the output of go-fields for the version
 */
export function readVersion(openapi: string, fields: string, patch: string): VersionModel {
  const files = readdirSync(openapi).filter(
    (name) => name.endsWith('.json') && name !== 'index.json',
  );
  const documents = files.map((name) => readJson<GroupVersionFile>(join(openapi, name)));
  const index = readJson<{ groups: { group: string; versions: string[] }[] }>(
    join(openapi, 'index.json'),
  );
  const go = readJson<GoFields>(fields);
  const schemas = new Map<string, Schema>();
  for (const document of documents) {
    for (const [name, schema] of Object.entries(document.schemas)) schemas.set(name, schema);
  }
  const resources = documents.flatMap(resourcesOf).sort(byGroup(index.groups));
  const kinds = kindsOf(documents, resources, go);
  return {
    patch,
    groups: index.groups.map(({ group, versions }): GroupRow => [group, versions]),
    resources,
    kinds,
    types: typesOf(kinds, go, schemas),
  };
}

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(path, 'utf8')) as T;
}

function byGroup(groups: readonly { group: string; versions: string[] }[]) {
  const place = new Map<string, number>();
  for (const { group, versions } of groups) {
    for (const version of versions) place.set(`${group}/${version}`, place.size);
  }
  const of = (row: ResourceRow): number => place.get(`${row.group}/${row.version}`) ?? place.size;
  return (a: ResourceRow, b: ResourceRow): number =>
    of(a) - of(b) || (a.resource < b.resource ? -1 : 1);
}

function resourcesOf(document: GroupVersionFile): ResourceRow[] {
  return Object.entries(document.resources ?? {}).map(([resource, row]) => ({
    group: document.group,
    version: document.version,
    resource,
    kind: row.kind,
    namespaced: row.namespaced,
    singular: row.singular,
    ...(row.shortNames ? { shortNames: row.shortNames } : {}),
    ...(row.categories ? { categories: row.categories } : {}),
    verbs: row.verbs,
    subresources: Object.entries(row.subresources).map(([name, sub]) => ({ name, ...sub })),
  }));
}

function kindsOf(
  documents: readonly GroupVersionFile[],
  resources: readonly ResourceRow[],
  go: GoFields,
): KindRow[] {
  const rows = new Map<string, KindRow>();
  const add = (group: string, version: string, kind: string, published: boolean): void => {
    const type = go.kinds[`${group}/${version}/${kind}`];
    const key = `${group}/${version}/${kind}`;
    if (!type || rows.has(key) || everywhere.has(kind)) return;
    rows.set(key, { group, version, kind, type: shortName(type), published });
  };
  for (const document of documents) {
    for (const kind of Object.keys(document.kinds ?? {})) {
      add(document.group, document.version, kind, true);
    }
  }
  for (const row of resources) {
    add(row.group, row.version, row.kind, false);
    for (const sub of row.subresources) add(sub.group, sub.version, sub.kind, false);
  }
  add('', 'v1', 'List', false);
  return [...rows.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

function keyOf(row: KindRow): string {
  return `${row.group}/${row.version}/${row.kind}`;
}

function typesOf(
  kinds: readonly KindRow[],
  go: GoFields,
  schemas: ReadonlyMap<string, Schema>,
): Map<string, TypeModel> {
  const long = new Map(Object.keys(go.types).map((name) => [shortName(name), name]));
  const types = new Map<string, TypeModel>();
  const queue = kinds.map((row) => row.type);
  for (let name = queue.pop(); name; name = queue.pop()) {
    if (types.has(name)) continue;
    const full = long.get(name) as string;
    const schema = schemas.get(full);
    const fields = (go.types[full] ?? []).map((row) => fieldOf(name as string, row, schema));
    const map = schema?.['x-kubernetes-map-type'];
    types.set(name, { ...(isMapType(map) ? { map } : {}), fields });
    for (const field of fields) {
      const used = elementOf(field.shape);
      if (used.includes('.')) queue.push(used);
    }
  }
  addKeyDefaults(types, long, schemas);
  return types;
}

function isMapType(value: unknown): value is 'atomic' | 'granular' {
  return value === 'atomic' || value === 'granular';
}

/** The innermost type of a shape, without its options. */
function elementOf(shape: string): string {
  return (shape.split(',')[0] as string).replace(/^(?:\*|\[\]|\{\})+/, '');
}

function shorten(shape: string): string {
  const inner = elementOf(shape);
  return inner.includes('.') ? shape.replace(inner, shortName(inner)) : shape;
}

function fieldOf(
  type: string,
  [name, longShape, go, inside]: GoField,
  schema: Schema | undefined,
): FieldModel {
  const shape = shorten(longShape);
  const property = schema?.properties?.[name];
  if (schema && !property) throw new Error(`${type}.${name} is not in OpenAPI`);
  const facts: Record<string, unknown> = {};
  if (goType(shape) !== go) facts['go'] = go;
  if (inside) facts['inside'] = inside;
  if (property) {
    const expected = JSON.stringify(schemaOf(shape));
    const found = JSON.stringify(plain(property));
    if (expected !== found) throw new Error(`${type}.${name} ${shape}: ${found}, not ${expected}`);
    const list = property['x-kubernetes-list-type'];
    if (property.type === 'array' && (list === 'set' || list === 'map')) {
      facts['list'] = list;
      if (list === 'map') facts['keys'] = property['x-kubernetes-list-map-keys'];
    }
    const map = property['x-kubernetes-map-type'];
    if (isMapType(map)) facts['map'] = map;
  }
  return { name, shape, facts: facts as FieldFacts };
}

/** A schema with nothing but its types. */
function plain(schema: Schema): unknown {
  if (schema.$ref) {
    const name = schema.$ref.slice('#/components/schemas/'.length);
    return { ref: schemaName(name) };
  }
  return {
    ...(schema.type ? { type: schema.type } : {}),
    ...(schema.format ? { format: schema.format } : {}),
    ...(schema.items ? { items: plain(schema.items) } : {}),
    ...(schema.additionalProperties ? { values: plain(schema.additionalProperties) } : {}),
  };
}

function schemaName(name: string): string {
  const leaf = name.slice(name.lastIndexOf('.') + 1);
  return name.startsWith('io.k8s.apimachinery.pkg.') && !name.includes('.meta.')
    ? leaf
    : shortName(name);
}

/** Keeps the default of each field that is a key of some list of type map. */
function addKeyDefaults(
  types: Map<string, TypeModel>,
  long: ReadonlyMap<string, string>,
  schemas: ReadonlyMap<string, Schema>,
): void {
  const wanted = new Map<string, Set<string>>();
  for (const type of types.values()) {
    for (const field of type.fields) {
      const element = elementOf(field.shape);
      for (const key of field.facts.keys ?? []) {
        wanted.set(element, (wanted.get(element) ?? new Set()).add(key));
      }
    }
  }
  for (const [name, keys] of wanted) {
    const type = types.get(name);
    const properties = schemas.get(long.get(name) as string)?.properties;
    if (!type) continue;
    const fields = type.fields.map((field) => {
      const key = properties?.[field.name]?.default;
      if (!keys.has(field.name) || key === undefined) return field;
      return { ...field, facts: { ...field.facts, key } };
    });
    types.set(name, { ...type, fields });
  }
}
