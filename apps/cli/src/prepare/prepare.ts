import { dns1123LabelProblems } from '@kubeadmit/apimachinery/names';
import { isPoliciesOnly, isReadByPlugins } from '@kubeadmit/chain/plugins';
import type { OutsideData } from '@kubeadmit/chain/unstable-internal';
import {
  type LoadedCheck,
  loadCheck,
  NothingToCheckError,
  type PreparedCheck,
  type PrepareOptions,
  prepareCheck,
  type ReportProblem,
  type RunOptions,
} from '@kubeadmit/check';
import type { GivenManifest } from '@kubeadmit/lint';
import { definitionsAmong } from '@kubeadmit/lint/inputs';
import type { InputProblem, Manifest } from '@kubeadmit/manifest';
import { loadSchemas, UnknownVersionError } from '@kubeadmit/schemas';
import { type ProblemListener, type ReadOptions, readInputs } from '../input/read-inputs.ts';
import { readStaticFolders } from '../input/static-folders.ts';
import { namedObjectsRemark } from '../output/plugin-assumptions.ts';
import { problemText } from '../output/problems.ts';
import { printable, styleFor } from '../output/style.ts';
import { CommandFailure, type Terminal } from '../process/terminal.ts';
import { actingInputs } from './acting-inputs.ts';
import { foldSkipped } from './fold-skipped.ts';
import type { InputOptions } from './options.ts';
import { givenUser, outsideData } from './outside-data.ts';

/** Returns a listener that writes problems of the inputs to standard error as they are found. */
export function problemReporter(terminal: Terminal): ReportProblem {
  return (problem, severity) => {
    const { stderr, env } = terminal;
    stderr.write(problemText(problem, severity, styleFor(stderr, env)));
  };
}

/** Reports and keeps the problems of inputs as they are read. */
export class ProblemKeeper implements ProblemListener {
  readonly unreadable: InputProblem[] = [];
  readonly skipped: InputProblem[] = [];
  readonly #report: ReportProblem;

  constructor(report: ReportProblem) {
    this.#report = report;
  }

  readonly fail = (problem: InputProblem): void => {
    this.unreadable.push(problem);
    this.#report(problem, 'error');
  };

  readonly skip = (skipped: readonly InputProblem[]): void => {
    this.skipped.push(...skipped);
    for (const problem of foldSkipped(skipped)) this.#report(problem, 'warning');
  };

  readonly note = (problem: InputProblem): void => this.#report(problem, 'warning');
}

/** Everything that was read for a check, before it is planned. */
export interface ReadCheck {
  readonly given: readonly GivenManifest[];
  readonly settings: PrepareOptions;
  /** Data for Kyverno's policies, if any is given. */
  readonly outside: OutsideData | undefined;
  /** The manifests that were found and not read. */
  readonly skipped: readonly InputProblem[];
}

/**
 * Reads the inputs of a check and makes requests of them. Invalid inputs are reported and left out.
 *
 * @throws CommandFailure when the arguments make no sense together.
 */
export async function readCheck(
  paths: readonly string[],
  options: InputOptions,
  terminal: Terminal,
  report: ReportProblem,
): Promise<PreparedCheck & Pick<ReadCheck, 'outside'>> {
  const reading = { report, withoutPolicies: true };
  const { given, settings, outside } = await readCheckInputs(paths, options, terminal, reading);
  return { ...(await orCommandFailure(prepareCheck(given, settings, report))), outside };
}

/** How the inputs of a check are read. */
interface ReadingCheck {
  readonly report: ReportProblem;
  /** Whether objects may be released, because they are used one by one (default: false). */
  readonly mayRelease?: boolean;
  /** Whether the inputs may contain no policy; default not. */
  readonly withoutPolicies?: boolean;
}

/**
 * Reads the inputs of a check. Invalid inputs are reported and left out.
 *
 * @throws CommandFailure when the arguments make no sense together.
 */
export async function readCheckInputs(
  paths: readonly string[],
  options: InputOptions,
  terminal: Terminal,
  { report, mayRelease = false, withoutPolicies = false }: ReadingCheck,
): Promise<ReadCheck> {
  const listener = new ProblemKeeper(report);
  const { unreadable } = listener;
  const outside = await outsideData(options, terminal);
  const cluster = await clusterOf(options, terminal, listener);
  const kubernetesVersion = cluster?.version ?? options.kubernetesVersion;
  const roles = [
    ['policies', options.policies ?? []],
    ['any', paths],
    ['resources', options.resources ?? []],
  ] as const;
  const reading = { ...options, kubernetesVersion, terminal, listener, mayRelease };
  const { staticManifests = [] } = options;
  const statics = readStaticFolders(staticManifests, kubernetesVersion, listener, options);
  const read = [...statics, ...(await readInputs(roles, reading))];
  const { policies = [], context } = options;
  const hasTrustedPolicies = policies.length > 0 || context !== undefined;
  const checksPolicies = statics.length > 0;
  const local = actingInputs(read, { hasTrustedPolicies, checksPolicies }, listener);
  const given = [...local, ...(cluster?.inputs(local) ?? [])];
  outside?.unknownNames(given.map(({ manifest }) => manifest)).forEach(listener.note);
  const { namespace, operation, subresource, dryRun, validate, lastWins, ignoreUnknownKinds } =
    options;
  const [odd] = dns1123LabelProblems(namespace);
  if (odd !== undefined) throw new CommandFailure(`--namespace ${namespace}: ${odd}`);
  const withPlugins = options.plugins !== undefined && !isPoliciesOnly(options.plugins);
  const isPolicySource =
    (options.policies !== undefined && !judgesWithoutPolicies(local, withPlugins)) ||
    options.staticManifests !== undefined ||
    cluster !== undefined;
  const settings = {
    namespace,
    operation,
    subresource,
    dryRun,
    validate,
    lastWins,
    ignoreUnknownKinds,
    bind: options.bind,
    withPlugins,
    kubernetesVersion,
    user: givenUser(options, outside),
    oldResources: await readOldResources(options, reading),
    unreadable,
    withoutPolicies: withoutPolicies && !isPolicySource,
  };
  return { given, settings, outside, skipped: listener.skipped };
}

/**
 * Whether inputs given with `-p` have an effect although none of them is a policy: definitions, and objects that
 * admission plugins read. Any other input without policies is an error.
 */
function judgesWithoutPolicies(given: readonly GivenManifest[], withPlugins: boolean): boolean {
  const manifests = given.filter(({ role }) => role === 'policies').map(({ manifest }) => manifest);
  return (
    definitionsAmong(manifests).length > 0 ||
    (withPlugins && manifests.some((each) => isReadByPlugins(each) || each.kind === 'Namespace'))
  );
}

/** Loads the policies of a check, and reports those without effect. */
export async function loadPolicies(
  planned: Parameters<typeof loadCheck>[0],
  options: Omit<RunOptions, 'clock'>,
  report: ReportProblem,
): Promise<LoadedCheck> {
  const loaded = await loadCheck(planned, { ...options, clock: Date.now });
  for (const problem of loaded.refused.problems) report(problem, 'error');
  for (const problem of [...loaded.unsupported, ...loaded.expired]) report(problem, 'warning');
  return loaded;
}

/** Writes on standard error which objects that manifests name were assumed by admission plugins. */
export function tellAssumptions({ chain }: LoadedCheck, { stderr, env }: Terminal): void {
  const remark = namedObjectsRemark(chain.plugins?.assumed());
  if (remark === undefined) return;
  stderr.write(`${styleFor(stderr, env).yellow('warning:')} ${printable(remark)}\n`);
}

/** Returns the version for which policies are compiled: the requested one, or that of the cluster. */
export function versionOf(
  { schemas }: Pick<PreparedCheck, 'schemas'>,
  { kubernetesVersion, context }: InputOptions,
): string | undefined {
  return kubernetesVersion ?? (context === undefined ? undefined : schemas.version);
}

/** Returns the inputs and the version from the cluster of `--context`, or `undefined` without that option. */
async function clusterOf(
  { context, kubeconfig, kubernetesVersion, exceptionNamespace }: InputOptions,
  { env }: Terminal,
  { note }: ProblemListener,
) {
  if (context === undefined) {
    if (exceptionNamespace !== undefined) {
      throw new CommandFailure('--exception-namespace requires --context');
    }
    if (kubeconfig === undefined) return undefined;
    throw new CommandFailure('--kubeconfig requires --context');
  }
  const { ClusterReader } = await import('../input/elsewhere/kubectl.ts');
  const { clusterInputs } = await import('./cluster-inputs.ts');
  const cluster = new ClusterReader({ context, kubeconfig, env });
  return {
    version: kubernetesVersion ?? cluster.knownVersion(note),
    inputs: (local: readonly GivenManifest[]) =>
      clusterInputs(cluster, { withPolicies: true, local, exceptionNamespace, note }),
  };
}

async function readOldResources(
  options: InputOptions,
  reading: ReadOptions,
): Promise<readonly Manifest[]> {
  const { oldResource = [], operation } = options;
  if (oldResource.length === 0) {
    if (operation !== 'UPDATE') return [];
    throw new CommandFailure(
      '--operation UPDATE requires --old-resource, the objects before the update',
    );
  }
  if (operation !== 'UPDATE')
    throw new CommandFailure('--old-resource requires --operation UPDATE');
  const given = await readInputs([['resources', oldResource]], reading);
  return given.map(({ manifest }) => manifest);
}

/**
 * Requires a version of Kubernetes that is known, before anything is done with it.
 *
 * @throws CommandFailure that names the nearest ones.
 */
export async function requireVersion(version: string): Promise<void> {
  await orCommandFailure(loadSchemas({ version, groupVersions: [] }));
}

/** Converts errors about the roles of users to failures of the command. */
export async function orCommandFailure<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const isUsers = error instanceof UnknownVersionError || error instanceof NothingToCheckError;
    throw isUsers ? new CommandFailure(error.message) : error;
  }
}
