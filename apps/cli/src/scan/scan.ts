import {
  type LoadedCheck,
  ObjectChecker,
  type PlannedCheck,
  prepareCheck,
  type ReportProblem,
  reportFrame,
} from '@kubeadmit/check';
import {
  checkConfiguration,
  type GivenManifest,
  type Inputs,
  schemasOf,
  sortInputs,
} from '@kubeadmit/lint';
import { refusedObjects } from '@kubeadmit/lint/inputs';
import { objectKey } from '@kubeadmit/lint/unstable-internal';
import type { InputProblem } from '@kubeadmit/manifest';
import { timedCheck } from '../check/judge.ts';
import { untilInterrupted } from '../check/until-interrupted.ts';
import { idleErrors, nothingJudgedBy, tellIdle, verdictCode } from '../check/verdict-code.ts';
import { ClusterReader, currentContext } from '../input/elsewhere/kubectl.ts';
import { readInputs } from '../input/read-inputs.ts';
import type { FileOptions } from '../input/sources.ts';
import { reportStream } from '../output/check/streams.ts';
import { countObject, emptyTally } from '../output/check/tally.ts';
import { CheckWriter, streamTargetsOf } from '../output/check/writer.ts';
import { unknownFieldsOf } from '../output/unknown-fields.ts';
import { clusterInputs, manifestsOf } from '../prepare/cluster-inputs.ts';
import { inputExitCode } from '../prepare/input-exit-code.ts';
import type { CheckOptions } from '../prepare/options.ts';
import {
  loadPolicies,
  orCommandFailure,
  ProblemKeeper,
  problemReporter,
} from '../prepare/prepare.ts';
import { Progress } from '../process/progress.ts';
import { CommandFailure, type ExitCode, type Terminal } from '../process/terminal.ts';
import { scannedResources } from './scanned-resources.ts';

/** The options of `kubeadmit scan`. */
export interface ScanOptions
  extends Pick<
    CheckOptions,
    | keyof FileOptions
    | 'as'
    | 'asGroup'
    | 'kubeconfig'
    | 'exceptionNamespace'
    | 'kubernetesVersion'
    | 'output'
    | 'quiet'
    | 'strict'
    | 'failOnWarn'
    | 'failOnAudit'
    | 'exitZero'
    | 'allowNothing'
  > {
  readonly context?: string;
  readonly namespace?: string;
  readonly kinds?: readonly string[];
}

/** Asks policies about the objects of a cluster, page by page, and prints the report. */
export async function scan(
  paths: readonly string[],
  options: ScanOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const report = problemReporter(terminal);
  const listener = new ProblemKeeper(report);
  const { unreadable, skipped } = listener;
  const { kubeconfig, exceptionNamespace } = options;
  const context = requireContext(options, terminal.env);
  const cluster = new ClusterReader({ context, kubeconfig, env: terminal.env });
  const kubernetesVersion = options.kubernetesVersion ?? cluster.knownVersion(listener.note);
  const { namespace, ...reading } = options;
  const local =
    paths.length === 0
      ? []
      : await readInputs([['policies', paths]], {
          ...reading,
          kubernetesVersion,
          terminal,
          listener,
        });
  const held = clusterInputs(cluster, {
    withPolicies: paths.length === 0,
    local,
    exceptionNamespace,
    note: listener.note,
  });
  const given = [...local, ...held];
  const inputs = sortInputs(given);
  requirePolicies(inputs, context, paths.length === 0);
  const settings = {
    namespace: 'default',
    user: { name: options.as, groups: options.asGroup },
    kubernetesVersion,
    // The server has taken them, in a version that may have had other fields.
    validate: 'ignore' as const,
    ignoreUnknownKinds: true,
    areStored: true,
    unreadable,
  };
  const { loaded, prepared } = await preparePolicies(
    { local, inputs, kubernetesVersion, unreadable },
    report,
  );
  const resources = await scannedResources(cluster.resources(), loaded.chain, options.kinds);
  const progress = new Progress(terminal, resources.length, 1);
  const checker = new ObjectChecker(loaded);
  const frame = reportFrame(prepared, loaded);
  const streams = streamTargetsOf(options, terminal).map((target) =>
    reportStream({ ...target, ...frame }),
  );
  const writer = new CheckWriter(options.output, streams, terminal);
  return untilInterrupted(terminal, writer, async () => {
    const tally = emptyTally();
    for (const [index, resource] of resources.entries()) {
      progress.show('scanning', index, resources.length);
      for (const page of manifestsOf(cluster, resource, namespace)) {
        const asked = page
          .filter((manifest) => namespace === undefined || manifest.namespace === namespace)
          .map((manifest) => ({ manifest, role: 'resources' as const }));
        if (asked.length === 0) continue;
        // Problems of the policies have already been reported.
        const all = [...withoutTwins(given, asked), ...asked];
        const { requests } = await orCommandFailure(prepareCheck(all, settings, () => undefined));
        const objects = requests.map((request) => timedCheck(checker, request));
        for (const { object } of objects) countObject(tally, object);
        await writer.add(objects);
      }
    }
    progress.clear();
    if (tally.objects === 0) {
      const within = namespace === undefined ? '' : ` in the namespace ${namespace}`;
      throw new CommandFailure(
        `cluster ${context} has no objects${within} that the policies can match`,
      );
    }
    const leftOut = [...unreadable, ...prepared.leftOut];
    const told = { ...prepared, leftOut };
    const coverage = checker.coverage();
    const idle = idleErrors({ coverage, skipped }, options);
    const frame = reportFrame(told, loaded);
    const nothingJudged = nothingJudgedBy(checker, { ...frame, tally }, options);
    const policyFile = prepared.inputs.policies[0]?.file;
    const summary = { ...frame, coverage, skipped, tally, nothingJudged, idle, policyFile };
    await writer.finish(summary);
    tellIdle(summary, options, terminal);
    return inputExitCode(told, loaded) ?? verdictCode(summary, loaded, options);
  });
}

/** The context, which `scan` never chooses by itself. */
function requireContext(
  { context, kubeconfig }: Pick<ScanOptions, 'context' | 'kubeconfig'>,
  env: Terminal['env'],
): string {
  if (context !== undefined) return context;
  const current = currentContext(kubeconfig, env);
  const hint = current === undefined ? '' : `; the current context is ${current}`;
  throw new CommandFailure(`--context is required: the cluster to scan${hint}`);
}

/** Refuses to ask about a cluster where there is no policy to ask. */
function requirePolicies(
  { policies, kyverno }: Inputs,
  context: string,
  isOfCluster: boolean,
): void {
  if (policies.length + kyverno.length > 0) return;
  throw new CommandFailure(
    isOfCluster
      ? `cluster ${context} has no policies; name files with policies`
      : 'no policy among the inputs',
  );
}

interface Given {
  readonly local: readonly GivenManifest[];
  readonly inputs: Inputs;
  readonly kubernetesVersion: string;
  readonly unreadable: readonly InputProblem[];
}

/** Loads the policies; those in files are validated against their definitions, as in `check`. */
async function preparePolicies(
  { local, inputs, kubernetesVersion, unreadable }: Given,
  report: ReportProblem,
): Promise<{
  readonly loaded: LoadedCheck;
  readonly prepared: PlannedCheck;
}> {
  const schemas = await orCommandFailure(schemasOf(inputs, kubernetesVersion));
  const { problems, notes } = checkConfiguration(inputs, unreadable);
  for (const problem of problems) report(problem, 'error');
  for (const problem of notes) report(problem, 'warning');
  const manifests = local.map(({ manifest }) => manifest);
  const rejected = refusedObjects(manifests, schemas);
  const unknown = manifests.flatMap((manifest) => unknownFieldsOf(manifest, schemas));
  const refusedFields = [...rejected, ...unknown];
  for (const problem of refusedFields) report(problem, 'error');
  const isLocal = new Set(manifests);
  const policies = [...inputs.policies, ...inputs.bindings, ...inputs.kyverno];
  for (const each of policies.filter((policy) => !isLocal.has(policy))) {
    for (const problem of unknownFieldsOf(each, schemas)) {
      const message = `ignored, because the cluster accepted it: ${problem.message}`;
      report({ ...problem, message }, 'warning');
    }
  }
  const isRejected = new Set(rejected.map(({ manifest }) => manifest));
  const held = [...inputs.policies, ...inputs.bindings, ...inputs.context].filter(
    (manifest) => !isRejected.has(manifest),
  );
  const prepared = { inputs, schemas, held, leftOut: problems, refusedFields };
  return { loaded: await loadPolicies(prepared, { kubernetesVersion }, report), prepared };
}

/** Returns the given objects that are not among the objects to check. */
function withoutTwins(
  held: readonly GivenManifest[],
  asked: readonly GivenManifest[],
): readonly GivenManifest[] {
  const keys = new Set(asked.map(({ manifest }) => objectKey(manifest)));
  return held.filter(({ manifest }) => !keys.has(objectKey(manifest)));
}
