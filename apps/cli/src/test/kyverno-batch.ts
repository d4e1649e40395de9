import {
  type ExpectedResult,
  KyvernoTestRun,
  type TestFile,
  type TestHost,
} from '@kubeadmit/testing/other-tools';
import type { Batch } from './batch.ts';

/** The rows of a `kyverno-test.yaml` document as tests; each gives an entry for each resource that it checks. */
export function kyvernoBatch(
  test: TestFile,
  rows: readonly ExpectedResult[],
  { host, strict }: { readonly host: TestHost; readonly strict: boolean },
): Batch {
  const run = new KyvernoTestRun(test, { host, strict });
  return {
    file: test.file,
    name: test.name,
    format: 'kyverno',
    tests: rows.map((row) => rowName(test, row)),
    run: async (index) => {
      const row = rows[index];
      return row === undefined ? [] : run.judge(row);
    },
    leftovers: () => run.leftovers(rows),
    warnings: () => run.warnings(rows),
  };
}

function rowName(
  { name }: TestFile,
  { policy, rule, resources, operation }: ExpectedResult,
): string {
  const about = resources === undefined ? [] : [resources.join(',')];
  return [name, policy, rule, operation, ...about].filter((part) => part !== '').join('/');
}
