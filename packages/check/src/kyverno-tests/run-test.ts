import { testResources } from './evaluate.ts';
import { judge, type TestEntry } from './judge.ts';
import { loadTest } from './load.ts';
import type { ExpectedResult, TestFile } from './test-file.ts';
import { type TestHost, TestProblem } from './test-reader.ts';

/** Runs rows of a test; one that cannot be run gives an error for each of its rows. Never rejects. */
export async function runTest(
  test: TestFile,
  rows: readonly ExpectedResult[],
  host: TestHost,
): Promise<readonly TestEntry[]> {
  try {
    const loaded = await loadTest(test, host);
    return await judge(loaded, rows, testResources(loaded, host.clock()));
  } catch (error) {
    const message =
      error instanceof TestProblem
        ? error.message
        : `internal error, please report it: ${String(error)}`;
    return rows.map(({ policy, rule, resources, result }) => ({
      file: test.file,
      name: test.name,
      policy,
      rule,
      resource: (resources ?? []).join(', '),
      expected: result,
      actual: 'error',
      result: 'error',
      message,
    }));
  }
}
