import { byteLength } from '@kubeadmit/go/internal';
import { namePattern, tooLongProblem } from './problem-texts.ts';

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

/** What is wrong with a DNS-1123 label (apimachinery `validation.IsDNS1123Label`); empty when nothing is. */
export function dns1123LabelProblems(name: string): string[] {
  const problems: string[] = [];
  if (byteLength(name) > longestLabel) problems.push(tooLongProblem(longestLabel, 'characters'));
  if (dns1123Label.expression.test(name)) return problems;
  const isSubdomain = dns1123Subdomain.expression.test(name);
  return [...problems, isSubdomain ? 'must not contain dots' : dns1123Label.problem];
}

/**
 * What is wrong with a DNS-1123 subdomain (apimachinery `validation.IsDNS1123Subdomain`); empty when
 * nothing is.
 *
 * @param unit what the longest length is told in; prefixes of label keys have bytes.
 */
export function dns1123SubdomainProblems(
  name: string,
  unit: 'bytes' | 'characters' = 'characters',
): string[] {
  const problems: string[] = [];
  if (byteLength(name) > longestSubdomain) problems.push(tooLongProblem(longestSubdomain, unit));
  if (!dns1123Subdomain.expression.test(name)) problems.push(dns1123Subdomain.problem);
  return problems;
}

/** What is wrong with a DNS-1035 label (apimachinery `validation.IsDNS1035Label`); empty when nothing is. */
export function dns1035LabelProblems(name: string): string[] {
  const problems: string[] = [];
  if (byteLength(name) > longestLabel) problems.push(tooLongProblem(longestLabel, 'characters'));
  if (!dns1035Label.expression.test(name)) problems.push(dns1035Label.problem);
  return problems;
}
