import { problemText } from '../output/problems.ts';
import { styleFor } from '../output/style.ts';
import { testJson } from '../output/test-json.ts';
import { testText } from '../output/test-text.ts';
import { CommandFailure, type ExitCode, exitCode, type Terminal, write } from '../terminal.ts';
import { testResources } from './evaluate.ts';
import { findTests } from './find-tests.ts';
import { judge, type TestEntry } from './judge.ts';
import { loadTest } from './load.ts';
import { readSelector, selectRows } from './selector.ts';
import type { ExpectedResult, TestFile } from './test-file.ts';
import { TestProblem } from './test-reader.ts';

/** The options of `kubeadmit test`. */
export interface TestOptions {
  readonly output: 'text' | 'json';
  readonly fileName: string;
  readonly testCaseSelector: string;
  readonly failOnly?: boolean;
  readonly detailedResults?: boolean;
  readonly requireTests?: boolean;
}

/** Runs tests of Kyverno's format and prints what became of each row. */
export async function test(
  paths: readonly string[],
  options: TestOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const selector = readSelector(options.testCaseSelector);
  const { tests, problems } = findTests(paths.length > 0 ? paths : ['.'], options.fileName);
  const style = styleFor(terminal.stderr, terminal.env);
  for (const problem of problems) terminal.stderr.write(problemText(problem, 'error', style));
  if (problems.length > 0) return exitCode.usage;
  if (tests.length === 0 && (options.requireTests === true || paths.length > 0)) {
    throw new CommandFailure(`no tests found (files called ${options.fileName})`);
  }
  const now = Date.now();
  const entries: TestEntry[] = [];
  for (const one of tests) {
    const rows = selectRows(one.results, selector);
    if (rows.length > 0) entries.push(...(await runTest(one, rows, now, terminal)));
  }
  const text =
    options.output === 'json'
      ? testJson(entries)
      : testText(entries, options, styleFor(terminal.stdout, terminal.env));
  await write(terminal.stdout, text);
  const isBroken = entries.some(({ result }) => result === 'fail' || result === 'error');
  return isBroken ? exitCode.refused : exitCode.success;
}

/** A test that cannot be run gives an error for each of its rows. */
async function runTest(
  one: TestFile,
  rows: readonly ExpectedResult[],
  now: number,
  terminal: Terminal,
): Promise<readonly TestEntry[]> {
  try {
    const loaded = await loadTest(one, terminal);
    return await judge(loaded, rows, testResources(loaded, now));
  } catch (error) {
    const message =
      error instanceof TestProblem
        ? error.message
        : `internal error, please report it: ${String(error)}`;
    return rows.map(({ policy, rule, resources, result }) => ({
      file: one.file,
      name: one.name,
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
