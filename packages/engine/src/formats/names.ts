import { byteLength } from '../rest/go-text.ts';
import {
  dns1035LabelProblems as dns1035LabelProblemsInBytes,
  dns1123SubdomainProblems as dns1123SubdomainProblemsInBytes,
} from '../rest/names.ts';

const labelPattern = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const label = new RegExp(`^${labelPattern}$`);
const subdomain = new RegExp(`^${labelPattern}(\\.${labelPattern})*$`);
const labelProblem = `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${labelPattern}')`;
const longestLabel = 63;

// k8s.io/apimachinery has these rules twice, and the copy that formats use says `characters`.
function inCharacters(problems: readonly string[]): string[] {
  return problems.map((problem) =>
    problem.replace(/^(must be no more than \d+) bytes$/, '$1 characters'),
  );
}

/** What is wrong with a DNS-1123 label, as `format.dns1123Label()` says it; empty when nothing is. */
export function dns1123LabelProblems(value: string): string[] {
  const problems: string[] = [];
  // Only ASCII can be valid, so that characters and bytes are the same where it counts.
  if (byteLength(value) > longestLabel) {
    problems.push(`must be no more than ${longestLabel} characters`);
  }
  if (!label.test(value)) {
    problems.push(subdomain.test(value) ? 'must not contain dots' : labelProblem);
  }
  return problems;
}

/** What is wrong with a DNS-1123 subdomain, as `format.dns1123Subdomain()` says it. */
export function dns1123SubdomainProblems(value: string): string[] {
  return inCharacters(dns1123SubdomainProblemsInBytes(value));
}

/** What is wrong with a DNS-1035 label, as `format.dns1035Label()` says it. */
export function dns1035LabelProblems(value: string): string[] {
  return inCharacters(dns1035LabelProblemsInBytes(value));
}

/**
 * A prefix of a generated name as the name that is checked in its place: a dash at the end and the
 * character before it become `a`.
 */
export function maskTrailingDash(name: string): string {
  const match = /^(.*)(.)-$/su.exec(name);
  if (match === null) {
    return name;
  }
  // Go cuts bytes; what is left of a longer character is not valid, whatever it is.
  const rest = '!'.repeat(byteLength(match[2] ?? '') - 1);
  return `${match[1] ?? ''}${rest}a`;
}
