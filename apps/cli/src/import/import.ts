import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type SuiteDocument, suiteText } from '@kubeadmit/testing';
import { problemText } from '../output/problems.ts';
import { printableLine, styleFor } from '../output/style.ts';
import { writeWhole } from '../output/targets.ts';
import { yamlWithoutCommands } from '../output/yaml-without-commands.ts';
import {
  CommandFailure,
  type ExitCode,
  exitCode,
  type Terminal,
  write,
} from '../process/terminal.ts';
import { documentsIn } from './documents-in.ts';

/** The options of `kubeadmit import`. */
export interface ImportOptions {
  readonly write?: boolean;
}

/**
 * Rewrites tests of other tools as suites: on standard output, or beside the tests.
 *
 * @throws CommandFailure when there is none, or a suite is there already.
 */
export async function importTests(
  paths: readonly string[],
  options: ImportOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { stdout, stderr, env } = terminal;
  const { files, problems, notes } = await documentsIn(paths);
  const style = styleFor(stderr, env);
  for (const problem of problems) stderr.write(problemText(problem, 'error', style));
  for (const note of notes) stderr.write(problemText(note, 'warning', style));
  if (problems.length > 0) return exitCode.usage;
  if (files.length === 0) {
    throw new CommandFailure(
      'no tests found (kyverno-test.yaml, kaptest.yaml, suites of gator, or tests/ of kat)',
    );
  }
  const targets = files.map(({ file }) => targetOf(file));
  const there = targets.filter((target) => existsSync(target));
  if (options.write === true && there.length > 0) {
    throw new CommandFailure(`nothing was written, because these files exist: ${there.join(', ')}`);
  }
  if (options.write !== true) {
    const printed = files.map(({ file, documents }) => textOf(documents, file, printedText));
    await write(stdout, printed.join('---\n'));
    return exitCode.success;
  }
  const texts = files.map(({ file, documents }) => textOf(documents, file));
  for (const [index, target] of targets.entries()) {
    writeWhole(target, texts[index] ?? '');
    await write(stdout, `wrote ${printableLine(target)}\n`);
  }
  return exitCode.success;
}

type WriteSuite = (document: SuiteDocument, file: string) => string;

function textOf(
  documents: readonly SuiteDocument[],
  file: string,
  writeSuite: WriteSuite = suiteText,
): string {
  return documents.map((document) => writeSuite(document, file)).join('---\n');
}

/** A suite in which no CI system reads a command. */
function printedText(document: SuiteDocument, file: string): string {
  return yamlWithoutCommands(suiteText(document, file), document);
}

/** The suite of a file or folder of tests is written to a place from which its paths resolve in the same way. */
function targetOf(file: string): string {
  if (statSync(file).isDirectory()) return join(dirname(file), 'kat.admit.yaml');
  return file.replace(/\.ya?ml$/, '.admit.yaml');
}
