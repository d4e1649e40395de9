import { NothingToCheckError, type PreparedCheck, prepareCheck } from '@kubeadmit/check';
import type { ReportProblem } from '@kubeadmit/check/internal';
import type { GivenManifest } from '@kubeadmit/lint';
import type { InputProblem, Manifest } from '@kubeadmit/manifest';
import { UnknownVersionError } from '@kubeadmit/schemas';
import { problemText } from '../output/problems.ts';
import { styleFor } from '../output/style.ts';
import { CommandFailure, type Terminal } from '../terminal.ts';
import type { InputOptions } from './options.ts';
import { readInputs } from './read-inputs.ts';
import { requestUser } from './request-user.ts';

/** Writes what is worth saying about the inputs to standard error, as it is found. */
export function problemReporter({ stderr, env }: Terminal): ReportProblem {
  const style = styleFor(stderr, env);
  return (problem, severity) => {
    stderr.write(problemText(problem, severity, style));
  };
}

/**
 * Reads the inputs of a check and makes requests of them; what is wrong is reported and left out.
 *
 * @throws CommandFailure when the arguments make no sense together.
 */
export async function readCheck(
  paths: readonly string[],
  options: InputOptions,
  terminal: Terminal,
  report: ReportProblem,
): Promise<PreparedCheck> {
  const unreadable: InputProblem[] = [];
  const listener = {
    fail: (problem: InputProblem): void => {
      unreadable.push(problem);
      report(problem, 'error');
    },
    note: (problem: InputProblem): void => report(problem, 'warning'),
  };
  const roles = [
    ['policies', options.policies ?? []],
    ['any', paths],
    ['resources', options.resources ?? []],
  ] as const;
  const local = await readInputs(roles, { ...options, terminal, listener });
  const cluster = await clusterOf(options, terminal);
  const given = [...local, ...(cluster?.inputs(local) ?? [])];
  const settings = {
    ...options,
    kubernetesVersion: options.kubernetesVersion ?? cluster?.version,
    user: requestUser(options),
    oldResources: await readOldResources(options, terminal, listener),
    unreadable,
  };
  return orCommandFailure(prepareCheck(given, settings, report));
}

/** The version that policies are compiled for: the one that is asked for, or that of the cluster. */
export function versionOf(
  { schemas }: PreparedCheck,
  { kubernetesVersion, context }: InputOptions,
): string | undefined {
  return kubernetesVersion ?? (context === undefined ? undefined : schemas.version);
}

/** What the cluster of `--context` has, and its version. */
async function clusterOf({ context, kubeconfig }: InputOptions, { env }: Terminal) {
  if (context === undefined) {
    if (kubeconfig === undefined) return undefined;
    throw new CommandFailure('--kubeconfig is for --context, which names the cluster in it');
  }
  const { ClusterReader } = await import('../input/elsewhere/kubectl.ts');
  const { clusterInputs } = await import('./cluster-inputs.ts');
  const cluster = new ClusterReader({ context, kubeconfig, env });
  return {
    version: cluster.version(),
    inputs: (local: readonly GivenManifest[]) =>
      clusterInputs(cluster, { withPolicies: true, local }),
  };
}

async function readOldResources(
  options: InputOptions,
  terminal: Terminal,
  listener: Parameters<typeof readInputs>[1]['listener'],
): Promise<readonly Manifest[]> {
  const { oldResource = [], operation } = options;
  if (oldResource.length === 0) {
    if (operation !== 'UPDATE') return [];
    throw new CommandFailure(
      '--operation UPDATE needs --old-resource: what the objects were before',
    );
  }
  if (operation !== 'UPDATE') throw new CommandFailure('--old-resource is for --operation UPDATE');
  const given = await readInputs([['resources', oldResource]], { ...options, terminal, listener });
  return given.map(({ manifest }) => manifest);
}

/** Makes failures of what users may do those of the command. */
export async function orCommandFailure<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const isUsers = error instanceof UnknownVersionError || error instanceof NothingToCheckError;
    throw isUsers ? new CommandFailure(error.message) : error;
  }
}
