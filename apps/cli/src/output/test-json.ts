import type { TestEntry } from '@kubeadmit/testing/other-tools';
import { version } from '../process/version.ts';

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

/** The document of `test -o json`, see the machine interface. */
export interface TestDocument extends Readonly<Record<string, unknown>> {
  readonly tests: readonly unknown[];
}

/** Makes the document of `test -o json`; the same tests give the same one, so that times are left out. */
export function testDocument(entries: readonly TestEntry[]): TestDocument {
  const tests = entries.map(({ policy, rule, resource, message, line, seconds: _, ...entry }) => {
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
  return { version, summary: summarize(entries), tests };
}
