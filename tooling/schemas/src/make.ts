/**
 * Writes the data modules of packages/schemas.
 *
 *   pnpm --filter @kubeadmit/schemas-tooling make OPENAPI FIELDS 1.38…
 *
 * OPENAPI holds `versions.json` and a folder for each minor version, FIELDS the output of go-fields for it. The named
 * versions are added to those that the package has, or replace them.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { VersionModel } from './model.ts';
import { type Packed, type PackedCatalog, type PackedPackage, pack, unpack } from './pack.ts';
import { readVersion } from './read.ts';

const target = fileURLToPath(new URL('../../../packages/schemas/src/data/', import.meta.url));
const declaration = /^export const text: string =\s*'(.*)';$/m;

function main([openapi, fields, ...versions]: readonly string[]): void {
  if (!openapi || !fields || versions.length === 0) {
    throw new Error('usage: make OPENAPI FIELDS VERSION…');
  }
  const models = readExisting();
  const patches = JSON.parse(readFileSync(join(openapi, 'versions.json'), 'utf8'));
  for (const version of versions) {
    const minor = Number(version.split('.')[1]);
    const model = readVersion(
      join(openapi, version),
      join(fields, `${version}.json`),
      patches[version],
    );
    models.set(minor, model);
  }
  const packed = pack(models);
  checkRoundTrip(models, packed);
  write(packed);
}

function readExisting(): Map<number, VersionModel> {
  let names: string[];
  try {
    names = readdirSync(target).filter(
      (name) => name.endsWith('.ts') && name !== 'modules.ts' && name !== 'versions.ts',
    );
  } catch {
    return new Map();
  }
  const read = (name: string): unknown => {
    const match = declaration.exec(readFileSync(join(target, name), 'utf8'));
    if (!match) throw new Error(`${name} is not a data module`);
    return JSON.parse((match[1] as string).replace(/\\(['\\])/g, '$1'));
  };
  if (!names.includes('catalog.ts')) return new Map();
  const packages = names
    .filter((name) => name !== 'catalog.ts')
    .map((name): [string, PackedPackage] => [name.slice(0, -3), read(name) as PackedPackage]);
  return unpack({
    catalog: read('catalog.ts') as PackedCatalog,
    packages: Object.fromEntries(packages),
  });
}

function checkRoundTrip(models: ReadonlyMap<number, VersionModel>, packed: Packed): void {
  const again = unpack(JSON.parse(JSON.stringify(packed)) as Packed);
  for (const [minor, model] of models) {
    const other = again.get(minor) as VersionModel;
    for (const key of ['groups', 'resources', 'kinds'] as const) {
      if (sorted(model[key]) !== sorted(other[key])) throw new Error(`1.${minor} loses ${key}`);
    }
    if (other.types.size !== model.types.size) throw new Error(`1.${minor} loses types`);
    for (const [name, type] of model.types) {
      const found = other.types.get(name);
      if (sorted(type.fields) !== sorted(found?.fields ?? []) || type.map !== found?.map) {
        throw new Error(`1.${minor} loses facts of ${name}`);
      }
    }
  }
}

function sorted(rows: readonly unknown[]): string {
  return rows
    .map((row) => JSON.stringify(row))
    .sort()
    .join('\n');
}

function write(packed: Packed): void {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  writeModule('catalog', packed.catalog);
  writeFileSync(
    join(target, 'versions.ts'),
    '/** Minor versions and the exact versions that their facts come from. Written by tooling/schemas. */\n' +
      `export const versions: readonly (readonly [minor: number, patch: string])[] = ${JSON.stringify(packed.catalog.versions)};\n`,
  );
  const names = Object.keys(packed.packages).sort();
  for (const name of names) writeModule(name, packed.packages[name]);
  const loaders = names.map(
    (name) => `  '${name}': () => import('./${name}.ts').then((module) => module.text),\n`,
  );
  writeFileSync(
    join(target, 'modules.ts'),
    '/** Loads the types of one Go package, as JSON text. Written by tooling/schemas. */\n' +
      `export const modules: Readonly<Record<string, () => Promise<string>>> = {\n${loaders.join('')}};\n`,
  );
}

function writeModule(name: string, value: unknown): void {
  const text = JSON.stringify(value).replace(/['\\]/g, '\\$&');
  writeFileSync(
    join(target, `${name}.ts`),
    `/** Facts of every version as JSON text. Written by tooling/schemas. */\nexport const text: string =\n  '${text}';\n`,
  );
}

main(process.argv.slice(2));
