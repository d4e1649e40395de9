import { parseVersion } from '@kubeadmit/engine';
import { findIssues, type LintIssue, schemasOf, sortInputs } from '@kubeadmit/lint';
import {
  gatekeeperAdvice,
  groupOfMisplacedPolicy,
  isOfGatekeeper,
} from '@kubeadmit/lint/unstable-internal';
import type { InputProblem } from '@kubeadmit/manifest';
import { readInputs } from '../input/read-inputs.ts';
import type { FileOptions } from '../input/sources.ts';
import { readStaticFolders } from '../input/static-folders.ts';
import { answererOf } from '../machine/answerer.ts';
import { answerLines } from '../machine/lines.ts';
import { formatReport } from '../output/formats/formats.ts';
import { lintedCount, lintReport, lintSummary, lintText } from '../output/lint-report.ts';
import { problemText } from '../output/problems.ts';
import { plainStyle, styleFor } from '../output/style.ts';
import {
  keepInputs,
  type OutputTarget,
  printsAnnotations,
  writeTargets,
} from '../output/targets.ts';
import { orCommandFailure, requireVersion } from '../prepare/prepare.ts';
import { CommandFailure, type ExitCode, exitCode, type Terminal } from '../process/terminal.ts';
import { type LintConfiguration, readConfiguration, withOptions } from './configuration.ts';
import { repairFiles } from './repair.ts';

/** The options of `kubeadmit lint`. */
export interface LintOptions extends FileOptions {
  readonly output?: readonly OutputTarget[];
  readonly kubernetesVersion?: string;
  readonly minKubernetesVersion?: string;
  readonly staticManifests?: readonly string[];
  readonly batch?: string;
  readonly config?: string;
  readonly rule?: readonly string[];
  readonly fix?: boolean;
  readonly failOnWarn?: boolean;
}

/** Prints the issues of policies, or answers a stream of cases. */
export async function lint(
  paths: readonly string[],
  options: LintOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  if (options.batch !== undefined) {
    if (paths.length > 0) throw new CommandFailure('paths cannot be combined with --batch');
    return answerLines(options.batch, { command: 'lint', load: answererOf('lint') }, terminal);
  }
  if (options.fix === true && paths.includes('-')) {
    throw new CommandFailure('--fix cannot write standard input; name files instead');
  }
  const configuration = readConfiguration(options.config, terminal);
  const settings = withOptions(configuration.settings, options.rule ?? []);
  const problems: InputProblem[] = [];
  const skipped: InputProblem[] = [];
  const listener = {
    fail: (problem: InputProblem): void => {
      problems.push(problem);
    },
    skip: (found: readonly InputProblem[]): void => {
      skipped.push(...found);
    },
    note: (problem: InputProblem): void => {
      const style = styleFor(terminal.stderr, terminal.env);
      terminal.stderr.write(problemText(problem, 'warning', style));
    },
  };
  const { staticManifests = [], kubernetesVersion } = options;
  const statics = readStaticFolders(staticManifests, kubernetesVersion, listener, options);
  const isAll = paths.length === 0 && staticManifests.length > 0;
  const reading = { ...options, terminal, listener };
  const given = isAll ? statics : [...statics, ...(await readInputs([['any', paths]], reading))];
  keepInputs(options.output, given, problems);
  const inputs = sortInputs(given);
  const isMisplaced = inputs.subjects.some((each) => groupOfMisplacedPolicy(each) !== undefined);
  if (lintedCount(inputs) + problems.length === 0 && !isMisplaced) {
    const nothing = 'no policy or CustomResourceDefinition among the inputs';
    const isGatekeeper = inputs.subjects.some(({ group }) => isOfGatekeeper(group));
    throw new CommandFailure(isGatekeeper ? `${nothing}: ${gatekeeperAdvice}` : nothing);
  }
  const schemas = await orCommandFailure(schemasOf(inputs, kubernetesVersion));
  const unreadable = problems;
  const minKubernetesVersion = options.minKubernetesVersion ?? configuration.minKubernetesVersion;
  if (minKubernetesVersion !== undefined) {
    await requireVersion(minKubernetesVersion);
    requireOrder(minKubernetesVersion, schemas.version);
  }
  const found = await orCommandFailure(
    findIssues(given, {
      schemas,
      kubernetesVersion,
      minKubernetesVersion,
      unreadable,
      settings,
      clock: Date.now,
    }),
  );
  const left = options.fix === true ? repairFiles(found, terminal) : found;
  const changes = changesIn(configuration, options.rule ?? []);
  const issues = [...changes, ...left, ...skipped.map(skippedIssue)];
  const render = ({ format, file }: OutputTarget): string => {
    const dressed = file === undefined ? styleFor(terminal.stdout, terminal.env) : plainStyle;
    const formatted = format === 'text' ? undefined : formatReport(lintReport(issues), format);
    return formatted ?? lintText(issues, inputs, dressed);
  };
  await writeTargets(options.output, render, terminal);
  if (printsAnnotations(options.output)) {
    terminal.stderr.write(`${lintSummary(issues, inputs)}\n`);
  }
  return codeOf(issues, options);
}

/** Issues about the rules that the configuration changes, without those that options set. */
function changesIn(
  { changes }: LintConfiguration,
  options: readonly string[],
): readonly LintIssue[] {
  const set = new Set(options.map((option) => option.split('=', 1)[0]));
  return changes.filter(({ code }) => !set.has(code)).map(({ issue }) => issue);
}

/** A manifest that was found and not read; no configuration hides it. */
function skippedIssue(problem: InputProblem): LintIssue {
  return { ...problem, field: '', code: 'skipped-file', severity: 'warning', refused: false };
}

/** Requires that the oldest version is not newer than the selected one. */
function requireOrder(oldest: string, version: string): void {
  if (parseVersion(oldest) <= parseVersion(version)) return;
  throw new CommandFailure(
    `--min-kubernetes-version ${oldest} is newer than --kubernetes-version ${version}`,
  );
}

/** Rules about all inputs together, which do not concern a policy. */
const inputRules: ReadonlySet<string> = new Set([
  'unreadable',
  'binding-without-policy',
  'duplicate-name',
  'unknown-kind',
]);

/**
 * Whether a server rejects the object: it does so for unknown fields where it validates them, as kubectl asks it to.
 */
function isRejected({ refused, code }: LintIssue): boolean {
  return refused || code === 'unknown-field';
}

function codeOf(issues: readonly LintIssue[], { failOnWarn }: LintOptions): ExitCode {
  const errors = issues.filter(({ severity }) => severity === 'error');
  if (errors.some(({ code }) => code === 'unreadable')) return exitCode.usage;
  if (errors.some(isRejected)) return exitCode.invalidPolicy;
  if (errors.some(({ code }) => inputRules.has(code))) return exitCode.usage;
  const isWarned = failOnWarn === true && issues.some(({ severity }) => severity === 'warning');
  return errors.length > 0 || isWarned ? exitCode.refused : exitCode.success;
}
