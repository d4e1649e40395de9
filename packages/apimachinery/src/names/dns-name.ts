import { requireText } from '@kubeadmit/base';
import { namePattern, patternProblems } from './problem-texts.ts';

const labelSource = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';

const dns1123Label = namePattern(
  labelSource,
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  ['my-name', '123-abc'],
);
const dns1123Subdomain = namePattern(
  `${labelSource}(\\.${labelSource})*`,
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  ['example.com'],
);
const dns1035Label = namePattern(
  '[a-z]([-a-z0-9]*[a-z0-9])?',
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  ['my-name', 'abc-123'],
);

const longestLabel = 63;
const longestSubdomain = 253;

/**
 * Returns the problems of a DNS-1123 label (apimachinery `validation.IsDNS1123Label`); an empty list if it is
 * valid.
 */
export function dns1123LabelProblems(name: string): string[] {
  requireText('dns1123LabelProblems', name);
  const problems = patternProblems(name, dns1123Label, longestLabel, 'characters');
  const isDotted =
    problems.at(-1) === dns1123Label.problem && dns1123Subdomain.expression.test(name);
  return isDotted ? [...problems.slice(0, -1), 'must not contain dots'] : problems;
}

/**
 * Returns the problems of a DNS-1123 subdomain (apimachinery `validation.IsDNS1123Subdomain`); an empty list if it
 * is valid.
 *
 * @param unit the unit of the maximum length in messages; prefixes of label keys use bytes.
 */
export function dns1123SubdomainProblems(
  name: string,
  unit: 'bytes' | 'characters' = 'characters',
): string[] {
  requireText('dns1123SubdomainProblems', name);
  return patternProblems(name, dns1123Subdomain, longestSubdomain, unit);
}

/**
 * Returns the problems of a DNS-1035 label (apimachinery `validation.IsDNS1035Label`); an empty list if it is
 * valid.
 */
export function dns1035LabelProblems(name: string): string[] {
  requireText('dns1035LabelProblems', name);
  return patternProblems(name, dns1035Label, longestLabel, 'characters');
}
