import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository. */
const ROOT: string = fileURLToPath(new URL('../../../', import.meta.url));

/** A package that users install. */
export interface PublicPackage {
  readonly folder: string;
  readonly name: string;
}

/** Every workspace package that is not private. */
export function publicPackages(): PublicPackage[] {
  return ['packages', 'apps'].flatMap((group) =>
    readdirSync(join(ROOT, group)).flatMap((entry) => {
      const folder = join(ROOT, group, entry);
      const { name, private: isPrivate } = readManifest(folder);
      return isPrivate === true ? [] : [{ folder, name }];
    }),
  );
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

/** Runs a program with its output shown; ends this process with its exit code when it fails. */
export function run(program: string, args: readonly string[], cwd: string = ROOT): void {
  const { status, error } = spawnSync(program, args, { cwd, stdio: 'inherit' });
  if (error !== undefined) throw error;
  if (status !== 0) {
    console.error(`${[program, ...args].join(' ')} ended with code ${status}`);
    process.exit(status ?? 1);
  }
}

/** The argument at an index of the command line; ends this process when it is missing. */
export function argument(index: number, name: string): string {
  const value = process.argv[2 + index];
  if (value !== undefined) return value;
  console.error(`missing argument: ${name}`);
  process.exit(2);
}

/** The tarballs in a folder, sorted. */
export function tarballsIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.tgz'))
    .map((name) => join(folder, name))
    .sort();
}
