import {
  type FieldModel,
  type KindRow,
  packageOf,
  type TypeModel,
  type VersionModel,
} from './model.ts';
import { mergeRows, type PackedCatalog, packCatalog, unpackCatalog } from './pack-catalog.ts';

/** The minor versions that an entry holds for, the newest first; absent means all that are possible. */
type Minors = readonly number[];

/** The data of all versions as written into the package. */
export interface Packed {
  readonly catalog: PackedCatalog;
  /** Go package to its types. */
  readonly packages: Readonly<Record<string, PackedPackage>>;
}

export type PackedPackage = Readonly<Record<string, PackedType>>;

export interface PackedType {
  /** The relation of a map's entries; with versions where it is not always the same. */
  readonly map?: MapType | readonly (readonly [MapType, Minors])[];
  readonly fields: readonly PackedField[];
}

type MapType = 'atomic' | 'granular';

/** Name, shape, facts, and the versions where they differ from those of the type. */
export type PackedField = readonly [name: string, shape: string, facts?: object, minors?: Minors];

/** Merges the models of all versions, so that common parts are stored once. */
export function pack(models: ReadonlyMap<number, VersionModel>): Packed {
  const minors = [...models.keys()].sort((a, b) => b - a);
  const packages: Record<string, Record<string, PackedType>> = {};
  const names = new Set([...models.values()].flatMap(({ types }) => [...types.keys()]));
  for (const name of [...names].sort()) {
    const owner = packageOf(name);
    packages[owner] ??= {};
    (packages[owner] as Record<string, PackedType>)[name.slice(owner.length + 1)] = packType(
      minors.flatMap((minor) => {
        const type = models.get(minor)?.types.get(name);
        return type ? [[minor, type] as const] : [];
      }),
    );
  }
  const imports = importsOf(packages);
  return {
    catalog: packCatalog(models, (owner) => [owner, ...(imports[owner] ?? [])]),
    packages,
  };
}

function packType(versions: readonly (readonly [number, TypeModel])[]): PackedType {
  const maps = mergeRows(versions.map(([minor, type]) => [minor, type.map ? [type.map] : []]));
  const always = maps.length === 1 && maps[0]?.[1].length === versions.length;
  const map = always ? (maps[0]?.[0] as MapType) : maps;
  const fields = mergeRows(versions.map(([minor, type]) => [minor, type.fields]));
  return {
    ...(map.length > 0 ? { map } : {}),
    fields: fields.map(([field, of]) => packField(field, of.length === versions.length ? [] : of)),
  };
}

function packField({ name, shape, facts }: FieldModel, minors: Minors): PackedField {
  if (minors.length > 0) return [name, shape, facts, minors];
  return Object.keys(facts).length > 0 ? [name, shape, facts] : [name, shape];
}

function importsOf(packages: Packed['packages']): Record<string, string[]> {
  const direct = new Map<string, Set<string>>();
  for (const [owner, types] of Object.entries(packages)) {
    const used = new Set<string>();
    for (const type of Object.values(types)) {
      for (const [, shape] of type.fields) {
        const name = (shape.split(',')[0] as string).replace(/^(?:\*|\[\]|\{\})+/, '');
        if (name.includes('.')) used.add(packageOf(name));
      }
    }
    direct.set(owner, used);
  }
  const imports: Record<string, string[]> = {};
  for (const owner of direct.keys()) {
    const reached = new Set<string>();
    const queue = [owner];
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      if (reached.has(next)) continue;
      reached.add(next);
      queue.push(...(direct.get(next) ?? []));
    }
    reached.delete(owner);
    if (reached.size > 0) imports[owner] = [...reached].sort();
  }
  return imports;
}

/** The models that packed data was made from. */
export function unpack({ catalog, packages }: Packed): Map<number, VersionModel> {
  const models = new Map<number, VersionModel>();
  for (const [minor, patch] of catalog.versions) {
    const names = unpackCatalog(catalog, minor);
    models.set(minor, {
      patch,
      ...names,
      types: reachable(names.kinds, (name) => {
        const owner = packageOf(name);
        const type = packages[owner]?.[name.slice(owner.length + 1)] as PackedType;
        const map = typeof type.map === 'string' ? type.map : mapAt(type.map ?? [], minor);
        return {
          ...(map ? { map } : {}),
          fields: type.fields
            .filter((field) => field[3]?.includes(minor) !== false)
            .map(([field, shape, facts]) => ({ name: field, shape, facts: facts ?? {} })),
        };
      }),
    });
  }
  return models;
}

function mapAt(maps: readonly (readonly [MapType, Minors])[], minor: number): MapType | undefined {
  return maps.find(([, minors]) => minors.includes(minor))?.[0];
}

function reachable(
  kinds: readonly KindRow[],
  read: (name: string) => TypeModel,
): Map<string, TypeModel> {
  const types = new Map<string, TypeModel>();
  const queue = kinds.map((row) => row.type);
  for (let name = queue.pop(); name; name = queue.pop()) {
    if (types.has(name)) continue;
    const type = read(name);
    types.set(name, type);
    for (const field of type.fields) {
      const used = (field.shape.split(',')[0] as string).replace(/^(?:\*|\[\]|\{\})+/, '');
      if (used.includes('.')) queue.push(used);
    }
  }
  return types;
}
