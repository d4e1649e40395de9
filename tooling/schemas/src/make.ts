/**
 * Writes the data modules of packages/schemas.
 *
 *   pnpm --filter @kubeadmit/schemas-tooling make OPENAPI FIELDS 1.38…
 *
 * OPENAPI holds `versions.json` and a folder for each minor version, FIELDS the output of go-fields for it. The named
 * versions are added to those that the package has, or replace them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readData, writeData } from './data-modules.ts';
import type { VersionModel } from './model.ts';
import { type Packed, pack, unpack } from './pack.ts';
import { addNumbers, readNumbers, writeNumbers } from './protobuf-numbers.ts';
import { readVersion } from './read.ts';

function main([openapi, fields, ...versions]: readonly string[]): void {
  if (!openapi || !fields || versions.length === 0) {
    throw new Error('usage: make OPENAPI FIELDS VERSION…');
  }
  const models = readData();
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
  const numbers = readNumbers();
  addNumbers(numbers, fields);
  writeData(packed);
  writeNumbers(numbers, new Set([...models.values()].flatMap(({ types }) => [...types.keys()])));
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
    .map((row) => JSON.stringify(row, membersInOrder))
    .sort()
    .join('\n');
}

function membersInOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

main(process.argv.slice(2));
