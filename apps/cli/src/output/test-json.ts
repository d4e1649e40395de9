import type { TestEntry } from '@kubeadmit/check';
import { stringifyJson } from '@kubeadmit/manifest';
import { version } from '../version.ts';

/** How many rows of tests came out in which way. */
export interface TestSummary {
  readonly passed: number;
  readonly failed: number;
  readonly errored: number;
  readonly skipped: number;
}

/** Counts the rows of tests. */
export function summarize(entries: readonly TestEntry[]): TestSummary {
  const count = (wanted: TestEntry['result']): number =>
    entries.filter(({ result }) => result === wanted).length;
  return {
    passed: count('pass'),
    failed: count('fail'),
    errored: count('error'),
    skipped: count('skip'),
  };
}

/** The report of `test -o json`: one document, see the machine interface. */
export function testJson(entries: readonly TestEntry[]): string {
  const tests = entries.map(({ policy, rule, resource, message, line, ...entry }) => {
    const { file, name, ...outcome } = entry;
    return {
      file,
      name,
      policy: policy === '' ? undefined : policy,
      resource: resource === '' ? undefined : resource,
      ...outcome,
      rule: rule === '' ? undefined : rule,
      message: message === '' ? undefined : message,
      line,
    };
  });
  return `${stringifyJson({ version, summary: summarize(entries), tests }, 2)}\n`;
}
