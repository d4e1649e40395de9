import { requireText } from '@kubeadmit/base';
import { byteLength } from '@kubeadmit/go';
import { dns1123SubdomainProblems } from './dns-name.ts';
import { namePattern, patternProblems, tooLongProblem } from './problem-texts.ts';

const nameSource = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';

const keyName = namePattern(
  nameSource,
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  ['MyName', 'my.name', '123-abc'],
);
const labelValue = namePattern(
  `(${nameSource})?`,
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  ['MyValue', 'my_value', '12345'],
);

const longestName = 63;

/**
 * Returns the problems of a qualified name, such as the label key `example.com/MyName` (apimachinery
 * `content.IsLabelKey`); an empty list if it is valid.
 */
export function qualifiedNameProblems(key: string): string[] {
  const parts = key.split('/');
  if (parts.length > 2) {
    return [
      `a valid label key ${keyName.problem} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const name = parts[parts.length - 1] ?? '';
  const problems = parts.length === 2 ? prefixProblems(parts[0] ?? '') : [];
  if (name === '') problems.push('name part must be non-empty');
  else if (byteLength(name) > longestName) {
    problems.push(`name part ${tooLongProblem(longestName, 'bytes')}`);
  }
  if (!keyName.expression.test(name)) problems.push(`name part ${keyName.problem}`);
  return problems;
}

function prefixProblems(prefix: string): string[] {
  if (prefix === '') return ['prefix part must be non-empty'];
  return dns1123SubdomainProblems(prefix, 'bytes').map((problem) => `prefix part ${problem}`);
}

/** Returns the problems of a label value (apimachinery `content.IsLabelValue`); an empty list if it is valid. */
export function labelValueProblems(value: string): string[] {
  requireText('labelValueProblems', value);
  return patternProblems(value, labelValue, longestName, 'bytes');
}
