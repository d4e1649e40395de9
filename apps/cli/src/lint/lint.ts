import { findIssues, schemasOf, sortInputs } from '@kubeadmit/lint';
import type { InputProblem } from '@kubeadmit/manifest';
import { orCommandFailure } from '../check/prepare.ts';
import { readInputs } from '../check/read-inputs.ts';
import { answererOf } from '../commands/stream.ts';
import { answerLines } from '../machine/lines.ts';
import { lintJson, lintText } from '../output/lint-report.ts';
import { problemText } from '../output/problems.ts';
import { styleFor } from '../output/style.ts';
import { CommandFailure, type ExitCode, exitCode, type Terminal, write } from '../terminal.ts';

/** The options of `kubeadmit lint`. */
export interface LintOptions {
  readonly output: 'text' | 'json';
  readonly kubernetesVersion?: string;
  readonly batch?: string;
  readonly ignore?: readonly string[];
  readonly maxFileSize: number;
}

/** Prints what is wrong with policies, or answers a stream of cases. */
export async function lint(
  paths: readonly string[],
  options: LintOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  if (options.batch !== undefined) {
    if (paths.length > 0) throw new CommandFailure('paths and --batch exclude each other');
    return answerLines(options.batch, answererOf('lint'), terminal);
  }
  const style = styleFor(terminal.stderr, terminal.env);
  const problems: InputProblem[] = [];
  const listener = {
    fail: (problem: InputProblem): void => {
      problems.push(problem);
    },
    note: (problem: InputProblem): void => {
      terminal.stderr.write(problemText(problem, 'warning', style));
    },
  };
  const given = await readInputs([['any', paths]], { ...options, terminal, listener });
  const inputs = sortInputs(given);
  const count = inputs.policies.length + inputs.bindings.length + inputs.kyverno.length;
  if (count + problems.length === 0) throw new CommandFailure('no policy among the inputs');
  const { kubernetesVersion } = options;
  const schemas = await orCommandFailure(schemasOf(inputs, kubernetesVersion));
  const issues = await findIssues(given, { schemas, kubernetesVersion, unreadable: problems });
  const dressed = styleFor(terminal.stdout, terminal.env);
  const text = options.output === 'json' ? lintJson(issues) : lintText(issues, inputs, dressed);
  await write(terminal.stdout, text);
  if (problems.length > 0) return exitCode.usage;
  const errors = issues.filter(({ severity }) => severity === 'error');
  if (errors.some(({ refused }) => refused)) return exitCode.invalidPolicy;
  if (errors.some(({ code }) => !code.startsWith('mutation-'))) return exitCode.usage;
  return errors.length === 0 ? exitCode.success : exitCode.refused;
}
