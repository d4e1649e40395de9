import { versions } from './data/versions.ts';

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
export function minorOf(version: string): number {
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
