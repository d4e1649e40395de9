import { byteLength } from '@kubeadmit/go';
import {
  dns1035LabelProblems,
  dns1123LabelProblems,
  dns1123SubdomainProblems,
} from './dns-name.ts';

/** How the names of a kind are checked (apimachinery `api/validation.ValidateNameFunc`). */
export type NameRule = 'dns1035Label' | 'dns1123Label' | 'dns1123Subdomain' | 'pathSegment';

const rules: Readonly<Record<NameRule, (name: string) => string[]>> = {
  dns1035Label: dns1035LabelProblems,
  dns1123Label: dns1123LabelProblems,
  dns1123Subdomain: dns1123SubdomainProblems,
  pathSegment: pathSegmentProblems,
};

/** Returns the problems of a name or of a prefix of generated names; an empty list if it is valid. */
export function nameProblems(
  name: string,
  rule: NameRule,
  part: 'name' | 'prefix' = 'name',
): string[] {
  if (part === 'name') return rules[rule](name);
  if (rule === 'pathSegment') return pathSegmentPrefixProblems(name);
  return rules[rule](maskTrailingDash(name));
}

/**
 * The name that is checked in the place of a prefix of generated names: a dash at the end and the byte
 * before it become `a` (apimachinery `api/validation.maskTrailingDash`).
 */
export function maskTrailingDash(prefix: string): string {
  const match = /^(.*)(.)-$/su.exec(prefix);
  if (match === null) return prefix;
  // The rest of a truncated multi-byte character is invalid in every name.
  const rest = '!'.repeat(byteLength(match[2] ?? '') - 1);
  return `${match[1] ?? ''}${rest}a`;
}

/**
 * Returns the reasons why a name cannot be one segment of a URL path (apimachinery `path.IsValidPathSegmentName`);
 * an empty list if it can.
 */
export function pathSegmentProblems(name: string): string[] {
  if (name === '.' || name === '..') return [`may not be '${name}'`];
  return pathSegmentPrefixProblems(name);
}

/**
 * Returns the reasons why a string cannot start a segment of a URL path (apimachinery
 * `path.IsValidPathSegmentPrefix`); an empty list if it can.
 */
export function pathSegmentPrefixProblems(prefix: string): string[] {
  return ['/', '%']
    .filter((part) => prefix.includes(part))
    .map((part) => `may not contain '${part}'`);
}
