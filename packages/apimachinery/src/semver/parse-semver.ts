import { byteLength, cut, parseUint64, quote } from '@kubeadmit/go';
import type { ParseError } from '../errors/parse-error.ts';
import type { Semver } from './semver.ts';

const identifier = /^[0-9A-Za-z-]*$/;
const digits = /^[0-9]*$/;

/** Parses a semantic version as semver.Parse of github.com/blang/semver v4. */
export function parseSemver(text: string): Semver | ParseError {
  if (text === '') return { error: 'Version string empty' };
  const [major, minor, ...others] = text.split('.');
  if (major === undefined || minor === undefined || others.length === 0) {
    return { error: 'No Major.Minor.Patch elements found' };
  }
  const majorNumber = parseNumber(major, 'Major');
  if (typeof majorNumber !== 'bigint') return majorNumber;
  const minorNumber = parseNumber(minor, 'Minor');
  if (typeof minorNumber !== 'bigint') return minorNumber;
  const [withoutBuild, build] = cut(others.join('.'), '+');
  const [patch, prerelease] = cut(withoutBuild, '-');
  const patchNumber = parseNumber(patch, 'Patch');
  if (typeof patchNumber !== 'bigint') return patchNumber;
  const prereleaseParts = parsePrerelease(prerelease);
  if ('error' in prereleaseParts) return prereleaseParts;
  const buildParts = parseBuild(build);
  if ('error' in buildParts) return buildParts;
  return {
    major: majorNumber,
    minor: minorNumber,
    patch: patchNumber,
    prerelease: prereleaseParts,
    build: buildParts,
  };
}

function parseNumber(text: string, name: 'Major' | 'Minor' | 'Patch'): bigint | ParseError {
  if (!digits.test(text)) return invalidCharacters(`${name.toLowerCase()} number`, text);
  if (text.length > 1 && text.startsWith('0')) {
    return { error: `${name} number must not contain leading zeroes ${quote(text)}` };
  }
  return parseUint(text);
}

function parseUint(text: string): bigint | ParseError {
  const value = parseUint64(text);
  return typeof value === 'bigint'
    ? value
    : { error: `strconv.ParseUint: parsing ${quote(text)}: ${value}` };
}

function invalidCharacters(where: string, text: string): ParseError {
  return { error: `Invalid character(s) found in ${where} ${quote(text)}` };
}

function parsePrerelease(text: string | undefined): (bigint | string)[] | ParseError {
  const parts: (bigint | string)[] = [];
  for (const part of text?.split('.') ?? []) {
    if (part === '') return { error: 'Prerelease is empty' };
    if (!digits.test(part)) {
      if (!identifier.test(part)) return invalidCharacters('prerelease', part);
      parts.push(part);
      continue;
    }
    if (part.length > 1 && part.startsWith('0')) {
      return {
        error: `Numeric PreRelease version must not contain leading zeroes ${quote(part)}`,
      };
    }
    const number = parseUint(part);
    if (typeof number !== 'bigint') return number;
    parts.push(number);
  }
  return parts;
}

function parseBuild(text: string | undefined): string[] | ParseError {
  const parts = text?.split('.') ?? [];
  for (const part of parts) {
    if (part === '') return { error: 'Build meta data is empty' };
    if (!identifier.test(part)) return invalidCharacters('build meta data', part);
  }
  return parts;
}

/**
 * Parses a version after normalising it, as `semver(text, true)`: without a leading `v`, without
 * leading zeros, missing parts filled with zeros.
 */
export function parseNormalizedSemver(text: string): Semver | ParseError {
  const [major = '', minor, ...others] = text.replace(/^v/, '').split('.');
  const parts = [major];
  if (minor !== undefined) parts.push(minor);
  if (others.length > 0) parts.push(others.join('.'));
  const stripped = parts.map((part) => (byteLength(part) > 1 ? withoutLeadingZeros(part) : part));
  if (stripped.length < 3 && /[+-]/.test(stripped.at(-1) ?? '')) {
    return { error: 'short version cannot contain PreRelease/Build meta data' };
  }
  while (stripped.length < 3) stripped.push('0');
  return parseSemver(stripped.join('.'));
}

function withoutLeadingZeros(part: string): string {
  const stripped = part.replace(/^0+/, '');
  return /^[0-9]/.test(stripped) ? stripped : `0${stripped}`;
}
