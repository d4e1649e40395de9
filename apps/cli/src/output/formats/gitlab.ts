import { fingerprints, path } from './fingerprint.ts';
import { type FormatReport, findingsOf } from './report.ts';

const severities = { error: 'major', warning: 'minor', note: 'info', none: 'info' } as const;

/** A report of GitLab's code quality (a list of Code Climate's issues). */
export function gitlabFormat(report: FormatReport): string {
  const items = findingsOf(report);
  const prints = fingerprints(items);
  const issues = items.map(({ rule, name, message, level, file, line }, index) => ({
    description: name === '' ? message : `${name}: ${message}`,
    check_name: rule || 'kubeadmit',
    fingerprint: prints[index],
    severity: severities[level],
    location: { path: path(file), lines: { begin: line ?? 1 } },
  }));
  return `${JSON.stringify(issues, null, 2)}\n`;
}
