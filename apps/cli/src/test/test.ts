import { runTest, type TestEntry } from '@kubeadmit/check';
import { problemText } from '../output/problems.ts';
import { styleFor } from '../output/style.ts';
import { testJson } from '../output/test-json.ts';
import { testText } from '../output/test-text.ts';
import { CommandFailure, type ExitCode, exitCode, type Terminal, write } from '../terminal.ts';
import { findTests } from './find-tests.ts';
import { readSelector, selectRows } from './selector.ts';
import { testHost } from './test-host.ts';

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
  const host = testHost(terminal);
  const entries: TestEntry[] = [];
  for (const one of tests) {
    const rows = selectRows(one.results, selector);
    if (rows.length > 0) entries.push(...(await runTest(one, rows, host)));
  }
  const text =
    options.output === 'json'
      ? testJson(entries)
      : testText(entries, options, styleFor(terminal.stdout, terminal.env));
  await write(terminal.stdout, text);
  const isBroken = entries.some(({ result }) => result === 'fail' || result === 'error');
  return isBroken ? exitCode.refused : exitCode.success;
}
