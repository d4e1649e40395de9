import {
  type FieldModel,
  type GroupRow,
  type KindRow,
  packageOf,
  type ResourceRow,
  type TypeModel,
  type VersionModel,
} from './model.ts';

/** The minor versions that an entry holds for, the newest first; absent means all that are possible. */
type Minors = readonly number[];

/** Everything of all versions, as it is written into the package. */
export interface Packed {
  readonly catalog: PackedCatalog;
  /** Go package to its types. */
  readonly packages: Readonly<Record<string, PackedPackage>>;
}

export interface PackedCatalog {
  /** Minor version to the exact version that its facts come from, the newest first. */
  readonly versions: readonly (readonly [minor: number, patch: string])[];
  readonly groups: readonly (readonly [...GroupRow, Minors?])[];
  readonly resources: readonly (readonly [ResourceRow, Minors?])[];
  /** The kinds of each group/version, such as `apps/v1`. */
  readonly kinds: Readonly<Record<string, readonly PackedKind[]>>;
  /** Go package to the packages whose types its types are made of, directly or not. */
  readonly imports: Readonly<Record<string, readonly string[]>>;
}

type PackedKind = readonly [kind: string, type: string, published: 0 | 1, minors?: Minors];

export type PackedPackage = Readonly<Record<string, PackedType>>;

export interface PackedType {
  /** The relation of a map's entries; with versions where it is not always the same. */
  readonly map?: MapType | readonly (readonly [MapType, Minors])[];
  readonly fields: readonly PackedField[];
}

type MapType = 'atomic' | 'granular';

/** Name, shape, facts, and the versions where they differ from those of the type. */
export type PackedField = readonly [name: string, shape: string, facts?: object, minors?: Minors];

/** Puts the models of all versions together, so that what they have in common is there once. */
export function pack(models: ReadonlyMap<number, VersionModel>): Packed {
  const minors = [...models.keys()].sort((a, b) => b - a);
  const model = (minor: number): VersionModel => models.get(minor) as VersionModel;
  const all = <T>(list: (of: VersionModel) => readonly T[]): [T, Minors][] =>
    merge(minors.map((minor) => [minor, list(model(minor))]));
  const dated = <T>([row, of]: [T, Minors]): readonly [T, Minors?] =>
    of.length === minors.length ? [row] : [row, of];
  const packages: Record<string, Record<string, PackedType>> = {};
  const names = new Set(minors.flatMap((minor) => [...model(minor).types.keys()]));
  for (const name of [...names].sort()) {
    const owner = packageOf(name);
    packages[owner] ??= {};
    (packages[owner] as Record<string, PackedType>)[name.slice(owner.length + 1)] = packType(
      minors.flatMap((minor) => {
        const type = model(minor).types.get(name);
        return type ? [[minor, type] as const] : [];
      }),
    );
  }
  return {
    catalog: {
      versions: minors.map((minor) => [minor, model(minor).patch]),
      groups: all((of) => of.groups).map(([[group, versions], of]) =>
        of.length === minors.length ? [group, versions] : [group, versions, of],
      ),
      resources: all((of) => of.resources).map(dated),
      kinds: packKinds(
        all((of) => of.kinds),
        minors.length,
      ),
      imports: importsOf(packages),
    },
    packages,
  };
}

function packKinds(
  rows: readonly (readonly [KindRow, Minors])[],
  versions: number,
): Record<string, PackedKind[]> {
  const packed: Record<string, PackedKind[]> = {};
  for (const [{ group, version, kind, type, published }, of] of rows) {
    const row = [kind, type, published ? 1 : 0] as const;
    const key = group === '' ? version : `${group}/${version}`;
    packed[key] ??= [];
    packed[key].push(of.length === versions ? row : [...row, of]);
  }
  return packed;
}

/** Rows of several versions in one order, each once, with the versions that have it. */
function merge<T>(lists: readonly (readonly [number, readonly T[]])[]): [T, Minors][] {
  const order: string[] = [];
  const rows = new Map<string, { row: T; minors: number[] }>();
  for (const [minor, list] of lists) {
    let last = -1;
    for (const row of list) {
      const key = JSON.stringify(row);
      const known = rows.get(key);
      if (known) {
        known.minors.push(minor);
        last = order.indexOf(key);
      } else {
        rows.set(key, { row, minors: [minor] });
        order.splice(++last, 0, key);
      }
    }
  }
  return order.map((key) => {
    const { row, minors } = rows.get(key) as { row: T; minors: number[] };
    return [row, minors];
  });
}

function packType(versions: readonly (readonly [number, TypeModel])[]): PackedType {
  const maps = merge(versions.map(([minor, type]) => [minor, type.map ? [type.map] : []]));
  const always = maps.length === 1 && maps[0]?.[1].length === versions.length;
  const map = always ? (maps[0]?.[0] as MapType) : maps;
  const fields = merge(versions.map(([minor, type]) => [minor, type.fields]));
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
    const holds = (of: Minors | undefined): boolean => !of || of.includes(minor);
    const kinds = Object.entries(catalog.kinds).flatMap(([apiVersion, rows]) => {
      const [version, group = ''] = apiVersion.split('/').reverse() as [string, string?];
      return rows
        .filter((row) => holds(row[3]))
        .map(([kind, type, published]): KindRow => {
          return { group, version, kind, type, published: published === 1 };
        });
    });
    models.set(minor, {
      patch,
      groups: catalog.groups.filter((row) => holds(row[2])).map(([group, of]) => [group, of]),
      resources: catalog.resources.filter((row) => holds(row[1])).map(([row]) => row),
      kinds,
      types: reachable(kinds, (name) => {
        const owner = packageOf(name);
        const type = packages[owner]?.[name.slice(owner.length + 1)] as PackedType;
        const map = typeof type.map === 'string' ? type.map : mapAt(type.map ?? [], minor);
        return {
          ...(map ? { map } : {}),
          fields: type.fields
            .filter((field) => holds(field[3]))
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
