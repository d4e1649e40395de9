import { byteLength } from './go-text.ts';

const dns1123Label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const dns1123SubdomainPattern = `${dns1123Label}(\\.${dns1123Label})*`;
const dns1035LabelPattern = '[a-z]([-a-z0-9]*[a-z0-9])?';
const labelKeyPattern = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const labelValuePattern = `(${labelKeyPattern})?`;

const dns1123SubdomainExpression = new RegExp(`^(?:${dns1123SubdomainPattern})$`);
const dns1035LabelExpression = new RegExp(`^(?:${dns1035LabelPattern})$`);
const labelKeyExpression = new RegExp(`^(?:${labelKeyPattern})$`);
const labelValueExpression = new RegExp(`^(?:${labelValuePattern})$`);

const dns1123SubdomainText = patternText(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  dns1123SubdomainPattern,
  ['example.com'],
);
const dns1035LabelText = patternText(
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  dns1035LabelPattern,
  ['my-name', 'abc-123'],
);
const labelKeyText = patternText(
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  labelKeyPattern,
  ['MyName', 'my.name', '123-abc'],
);
const labelValueText = patternText(
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  labelValuePattern,
  ['MyValue', 'my_value', '12345'],
);

function patternText(rule: string, pattern: string, examples: readonly string[]): string {
  const listed = examples.map((example) => `'${example}', `).join(' or ');
  return `${rule} (e.g. ${listed}regex used for validation is '${pattern}')`;
}

function tooLongText(limit: number, unit: 'bytes' | 'characters' = 'bytes'): string {
  return `must be no more than ${limit} ${unit}`;
}

/**
 * What is wrong with a DNS-1123 subdomain, as kube-apiserver says it; empty when nothing is.
 *
 * @param unit what the length of the prefix of a label key is told in; names have characters.
 */
export function dns1123SubdomainProblems(
  value: string,
  unit: 'bytes' | 'characters' = 'characters',
): string[] {
  const problems: string[] = [];
  if (byteLength(value) > 253) problems.push(tooLongText(253, unit));
  if (!dns1123SubdomainExpression.test(value)) problems.push(dns1123SubdomainText);
  return problems;
}

/** What is wrong with a DNS-1035 label, as kube-apiserver says it; empty when nothing is. */
export function dns1035LabelProblems(value: string): string[] {
  const problems: string[] = [];
  if (byteLength(value) > 63) problems.push(tooLongText(63, 'characters'));
  if (!dns1035LabelExpression.test(value)) problems.push(dns1035LabelText);
  return problems;
}

/** What is wrong with a qualified name such as a label key; empty when nothing is. */
export function qualifiedNameProblems(value: string): string[] {
  const parts = value.split('/');
  if (parts.length > 2) {
    return [
      `a valid label key ${labelKeyText} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const name = parts[parts.length - 1] ?? '';
  const problems: string[] = [];
  if (parts.length === 2) {
    const prefix = parts[0] ?? '';
    if (prefix === '') problems.push('prefix part must be non-empty');
    else
      problems.push(
        ...dns1123SubdomainProblems(prefix, 'bytes').map((text) => `prefix part ${text}`),
      );
  }
  if (name === '') problems.push('name part must be non-empty');
  else if (byteLength(name) > 63) problems.push(`name part ${tooLongText(63)}`);
  if (!labelKeyExpression.test(name)) problems.push(`name part ${labelKeyText}`);
  return problems;
}

/** What is wrong with the value of a label; empty when nothing is. */
export function labelValueProblems(value: string): string[] {
  const problems: string[] = [];
  if (byteLength(value) > 63) problems.push(tooLongText(63));
  if (!labelValueExpression.test(value)) problems.push(labelValueText);
  return problems;
}

/** What keeps a name from being one segment of a URL's path; empty when nothing does. */
export function pathSegmentProblems(name: string): string[] {
  if (name === '.' || name === '..') return [`may not be '${name}'`];
  return ['/', '%']
    .filter((part) => name.includes(part))
    .map((part) => `may not contain '${part}'`);
}
