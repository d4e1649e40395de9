import { type Expected, requireArgument } from '@kubeadmit/base';
import { compareText } from '@kubeadmit/go';

/** A semantic version. */
export interface Semver {
  /** The first number. */
  readonly major: bigint;
  /** The second number. */
  readonly minor: bigint;
  /** The third number. */
  readonly patch: bigint;
  /** The identifiers after `-`: numbers as bigint, all others as strings. */
  readonly prerelease: readonly (bigint | string)[];
  /** The identifiers after `+`, which comparisons ignore. */
  readonly build: readonly string[];
}

const parsedVersion: Expected = { what: 'a version that `parseSemver` gave', has: 'major' };

/** Compares versions by precedence, without build metadata: -1, 0 or 1. */
export function compareSemver(left: Semver, right: Semver): number {
  requireArgument('compareSemver', left, parsedVersion);
  requireArgument('compareSemver', right, parsedVersion);
  return (
    order(left.major, right.major) ||
    order(left.minor, right.minor) ||
    order(left.patch, right.patch) ||
    comparePrerelease(left.prerelease, right.prerelease)
  );
}

function order(left: bigint, right: bigint): number {
  return left === right ? 0 : left < right ? -1 : 1;
}

function comparePrerelease(
  left: readonly (bigint | string)[],
  right: readonly (bigint | string)[],
): number {
  if (left.length === 0 || right.length === 0) return Math.sign(right.length - left.length);
  for (const [index, part] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    const compared = compareIdentifiers(part, other);
    if (compared !== 0) return compared;
  }
  return left.length === right.length ? 0 : -1;
}

function compareIdentifiers(left: bigint | string, right: bigint | string): number {
  if (typeof left === 'bigint') return typeof right === 'bigint' ? order(left, right) : -1;
  return typeof right === 'bigint' ? 1 : Math.sign(compareText(left, right));
}

/** Formats a version: `1.2.3-rc.1+build`. */
export function formatSemver({ major, minor, patch, prerelease, build }: Semver): string {
  const suffix = prerelease.length === 0 ? '' : `-${prerelease.join('.')}`;
  const metadata = build.length === 0 ? '' : `+${build.join('.')}`;
  return `${major}.${minor}.${patch}${suffix}${metadata}`;
}
