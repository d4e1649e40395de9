import { describeValue, hasMembers, requireText } from '@kubeadmit/go/internal';
import type { ParseError } from '../parse-error.ts';
import * as reading from '../semver/parse-semver.ts';
import * as versions from '../semver/semver.ts';

/**
 * Parses a semantic version as semver.Parse of github.com/blang/semver v4.
 *
 * @throws TypeError if `text` is not a string
 */
export function parseSemver(text: string): versions.Semver | ParseError {
  requireText('parseSemver', text);
  return reading.parseSemver(text);
}

/**
 * Compares versions by precedence, without build metadata: -1, 0 or 1.
 *
 * @throws TypeError if an argument is not a version
 */
export function compareSemver(left: versions.Semver, right: versions.Semver): number {
  requireSemver('compareSemver', left);
  requireSemver('compareSemver', right);
  return versions.compareSemver(left, right);
}

/**
 * Formats a version: `1.2.3-rc.1+build`.
 *
 * @throws TypeError if `version` is not a version
 */
export function formatSemver(version: versions.Semver): string {
  requireSemver('formatSemver', version);
  return versions.formatSemver(version);
}

function requireSemver(call: string, value: unknown): void {
  const isError = hasMembers(value) && 'error' in value;
  const { major, minor, patch, prerelease, build } = hasMembers(value)
    ? value
    : ({} as Readonly<Record<string, unknown>>);
  const hasNumbers = [major, minor, patch].every((part) => typeof part === 'bigint');
  if (hasNumbers && Array.isArray(prerelease) && Array.isArray(build)) return;
  const given = isError ? 'its error' : describeValue(value);
  throw new TypeError(`${call} takes a version that \`parseSemver\` gave, not ${given}`);
}
