import {
  dns1035LabelProblems,
  dns1123LabelProblems,
  dns1123SubdomainProblems,
} from './dns-name.ts';
import { maskTrailingDash } from './generated-name.ts';
import { pathSegmentPrefixProblems, pathSegmentProblems } from './path-segment-name.ts';

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
