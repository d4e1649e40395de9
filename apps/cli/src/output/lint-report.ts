import type { Inputs, LintIssue } from '@kubeadmit/lint';
import { stringifyJson } from '@kubeadmit/manifest';
import { version } from '../version.ts';
import { problemText } from './problems.ts';
import type { Style } from './style.ts';

/** The issues of `lint -o json`: one document, see the machine interface. */
export function lintJson(issues: readonly LintIssue[]): string {
  const rows = issues.map(({ manifest, file, field, severity, code, message, place }) => ({
    file,
    resource: manifest === undefined ? '' : `${manifest.kind}/${manifest.name}`,
    path: field,
    severity,
    code,
    message,
    line: place?.line,
    column: place?.column,
  }));
  return `${stringifyJson({ version, issues: rows }, 2)}\n`;
}

/** The issues of `lint` for people: each with its place, and how many there are. */
export function lintText(
  issues: readonly LintIssue[],
  { policies, bindings, kyverno }: Inputs,
  style: Style,
): string {
  const texts = issues.map((issue) => problemText(issue, issue.severity, style));
  const count = (severity: string, noun: string): string => {
    const number = issues.filter((issue) => issue.severity === severity).length;
    return `${number} ${noun}${number === 1 ? '' : 's'}`;
  };
  const objects = policies.length + bindings.length + kyverno.length;
  const looked = `${objects} ${objects === 1 ? 'object' : 'objects'}`;
  const hints = issues.some(({ severity }) => severity === 'info')
    ? `, ${count('info', 'hint')}`
    : '';
  const found = `${count('error', 'error')}, ${count('warning', 'warning')}${hints} in ${looked}`;
  return `${texts.join('')}${texts.length > 0 ? '\n' : ''}${found}\n`;
}
