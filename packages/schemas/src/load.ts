import { requireArgument, requireOptions } from '@kubeadmit/base';
import { modules } from './data/modules.ts';
import { versions } from './data/versions.ts';
import { packagesFor } from './names/catalog.ts';
import { NameTable } from './names/name-table.ts';
import { TypeStore } from './types/type-store.ts';
import { noCustomKinds } from './version/custom-kinds.ts';
import type { Schemas } from './version/schemas.ts';

/** The version and the group/versions to load. */
export interface LoadOptions {
  /** Kubernetes version such as `1.37`, `v1.37` or `1.37.1`; default the newest known. */
  readonly version?: string;
  /** Group/versions whose field types are wanted, such as `v1` and `apps/v1`; default all. */
  readonly groupVersions?: readonly string[];
}

const texts = new Map<string, string>();

/**
 * Loads the names of all kinds of a Kubernetes version and the field types of the given group/versions.
 *
 * Names are loaded for all group/versions. Kinds of a group/version that was not loaded are decoded as unknown
 * ones.
 *
 * @throws {UnknownVersionError} for a version without data
 * @throws TypeError for invalid options, such as a bare version
 */
export async function loadSchemas(options: LoadOptions = {}): Promise<Schemas> {
  requireArgument('loadSchemas', options, { what: "options such as { version: '1.36' }" });
  requireOptions('loadSchemas', options, { version: 'string', groupVersions: 'list' });
  const minor = minorOf(options.version ?? newestVersion);
  const wanted = new Set<string>();
  const names = new NameTable(minor);
  for (const apiVersion of options.groupVersions ?? names.groupVersions) {
    if (names.kindsIn(apiVersion).size === 0) continue;
    for (const name of packagesFor(apiVersion)) wanted.add(name);
  }
  const missing = [...wanted].filter((name) => !texts.has(name));
  await Promise.all(
    missing.map(async (name) => {
      const load = modules[name];
      if (load) texts.set(name, await load());
    }),
  );
  const own = new Map([...wanted].map((name) => [name, texts.get(name) ?? '']));
  return {
    version: `1.${minor}`,
    minor,
    names,
    types: new TypeStore(minor, own),
    custom: noCustomKinds,
    issues: [],
  };
}

const minors: readonly number[] = versions.map(([minor]) => minor).sort((a, b) => a - b);

/** A Kubernetes version that this package has no data for. */
export class UnknownVersionError extends Error {
  override readonly name = 'UnknownVersionError';
  /** The requested version. */
  readonly version: string;
  /** The versions nearest to it, the nearest first. */
  readonly nearest: readonly string[];

  constructor(version: string, nearest: readonly string[]) {
    const known = `1.${minors[0]} to 1.${minors.at(-1)}`;
    super(`unknown Kubernetes version \`${version}\`; supported: ${known}`);
    this.version = version;
    this.nearest = nearest;
  }
}

/** The minor versions of Kubernetes that this package has data for, the oldest first. */
export const knownVersions: readonly string[] = minors.map((minor) => `1.${minor}`);

/** The newest version that this package has data for. */
export const newestVersion: string = `1.${minors.at(-1)}`;

/**
 * The minor of a version given as `1.37`, `v1.37` or `1.37.1`.
 * @throws {UnknownVersionError} when there is no data for it
 */
function minorOf(version: string): number {
  const match = /^v?(\d+)\.(\d+)(?:[.+-].*)?$/.exec(version);
  const minor = match?.[1] === '1' ? Number(match[2]) : Number.NaN;
  if (minors.includes(minor)) return minor;
  const wanted = Number.isNaN(minor) ? Number.POSITIVE_INFINITY : minor;
  const nearest = [...minors].sort((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted) || b - a);
  if (wanted === Number.POSITIVE_INFINITY) nearest.sort((a, b) => b - a);
  throw new UnknownVersionError(
    version,
    nearest.slice(0, 2).map((near) => `1.${near}`),
  );
}
