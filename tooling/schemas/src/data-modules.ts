import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { VersionModel } from './model.ts';
import { type Packed, type PackedPackage, unpack } from './pack.ts';
import type { PackedCatalog } from './pack-catalog.ts';

const target = fileURLToPath(new URL('../../../packages/schemas/src/data/', import.meta.url));
const declaration = /^export const (\w+): string = `((?:[^`\\]|\\.)*)`;$/gm;

/** The models of the versions that packages/schemas has data for. */
export function readData(): Map<number, VersionModel> {
  let names: string[];
  try {
    names = readdirSync(target).filter(
      (name) =>
        name.endsWith('.ts') && !['modules.ts', 'protobuf.ts', 'versions.ts'].includes(name),
    );
  } catch {
    return new Map();
  }
  if (!names.includes('catalog.ts')) return new Map();
  const packages = names
    .filter((name) => name !== 'catalog.ts')
    .map((name): [string, PackedPackage] => {
      const { text = '' } = readTexts(name);
      return [name.slice(0, -3), readLines(text) as PackedPackage];
    });
  const source = readFileSync(join(target, 'versions.ts'), 'utf8');
  const versions = JSON.parse(source.slice(source.indexOf('= ') + 2, source.lastIndexOf(';')));
  const { groups = '', groupVersions = '' } = readTexts('catalog.ts');
  const catalog = { versions, groups: JSON.parse(groups), groupVersions: readLines(groupVersions) };
  return unpack({
    catalog: catalog as PackedCatalog,
    packages: Object.fromEntries(packages),
  });
}

/** The texts that a data module exports. */
function readTexts(name: string): Record<string, string> {
  const source = readFileSync(join(target, name), 'utf8');
  return Object.fromEntries(
    [...source.matchAll(declaration)].map(([, key = '', text = '']) => [
      key,
      text.replace(/\\(.)/g, '$1'),
    ]),
  );
}

/** Parses lines of a name and JSON. */
function readLines(text: string): Record<string, unknown> {
  const lines = text.split('\n').map((line) => {
    const space = line.indexOf(' ');
    return [line.slice(0, space), JSON.parse(line.slice(space + 1))] as const;
  });
  return Object.fromEntries(lines);
}

/** Writes the data modules anew. */
export function writeData(packed: Packed): void {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const { versions, groups, groupVersions } = packed.catalog;
  writeModule('catalog', {
    groups: JSON.stringify(groups),
    groupVersions: toLines(groupVersions),
  });
  writeFileSync(
    join(target, 'versions.ts'),
    '/** Minor versions and the exact versions that their facts come from. Written by tooling/schemas. */\n' +
      `export const versions: readonly (readonly [minor: number, patch: string])[] = ${JSON.stringify(versions)};\n`,
  );
  const names = Object.keys(packed.packages).sort();
  for (const name of names) {
    writeModule(name, { text: toLines(packed.packages[name] as PackedPackage) });
  }
  const loaders = names.map(
    (name) => `  '${name}': () => import('./${name}.ts').then((module) => module.text),\n`,
  );
  writeFileSync(
    join(target, 'modules.ts'),
    '/** Loads the types of one Go package, a line each. Written by tooling/schemas. */\n' +
      `export const modules: Readonly<Record<string, () => Promise<string>>> = {\n${loaders.join('')}};\n`,
  );
}

/** A line for each name, so that one can be read without the others. */
function toLines(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name} ${JSON.stringify(value)}`)
    .join('\n');
}

function writeModule(name: string, texts: Readonly<Record<string, string>>): void {
  const exports = Object.entries(texts).map(
    ([key, text]) => `export const ${key}: string = \`${text.replace(/[\\`$]/g, '\\$&')}\`;\n`,
  );
  writeFileSync(
    join(target, `${name}.ts`),
    `// Facts of every version, as JSON. Written by tooling/schemas.\n${exports.join('')}`,
  );
}
