import {
  isReview,
  missingName,
  type RequestSettings,
  requestOfManifest,
  userInfo,
} from '@kubeadmit/chain/requests';
import { checkConfiguration, type GivenManifest, type Inputs, schemasOf } from '@kubeadmit/lint';
import { isKnown, settleDuplicates, unknownKinds } from '@kubeadmit/lint/inputs';
import type { Manifest } from '@kubeadmit/manifest';
import type { Schemas } from '@kubeadmit/schemas';
import { type ReportProblem, Validation } from './field-validation.ts';
import { oldObjectSource } from './old-objects.ts';
import type { CheckPlan, PreparedCheck } from './planned-check.ts';
import { type PrepareOptions, requireArguments } from './prepare-options.ts';
import { ProblemCollector } from './problem-collector.ts';
import { acceptedInputs, reportRefusedFields } from './refused-inputs.ts';
import { requireSomething, sortedInputs, unusedObjects, withBindings } from './sorted-inputs.ts';

/**
 * Turns manifests into requests and their context.
 *
 * Invalid manifests are reported and skipped; the others are prepared. Rejects with {@link NothingToCheckError} if
 * there is nothing to check although nothing is wrong, with `UnknownVersionError` for an unknown version, and with a
 * `TypeError` for arguments of another kind.
 */
export async function prepareCheck(
  given: readonly GivenManifest[],
  options: PrepareOptions,
  report: ReportProblem,
): Promise<PreparedCheck> {
  const { requestOf, ...planned } = await planCheck(given, options, report);
  const leftOut = [...planned.leftOut];
  const requests = planned.inputs.subjects.flatMap(
    (_, index) => requestOf(index, report, (problem) => void leftOut.push(problem)) ?? [],
  );
  return { ...planned, leftOut, requests };
}

/** Prepares a check like {@link prepareCheck}, but makes each request only on demand. */
export async function planCheck(
  given: readonly GivenManifest[],
  options: PrepareOptions,
  report: ReportProblem,
): Promise<CheckPlan> {
  requireArguments(given, options, report);
  const problems = new ProblemCollector(report, options.unreadable);
  const unused = unusedObjects(given, options);
  const settled = settledInputs(given, { ...options, unused }, problems);
  const { all, isSchemaCheck } = sortedInputs(withBindings(settled, options.bind), options);
  const schemas = await schemasOf(all, options.kubernetesVersion);
  reportConfiguration(all, { schemas, options, problems });
  problems.reportUnused(all.leftovers.filter((manifest) => unused.has(manifest)));
  const subjects = all.subjects.filter((manifest) => isKnown(manifest, schemas));
  if (problems.leftOut.length === 0) requireSomething(all, { subjects, isSchemaCheck });
  const validation = new Validation(schemas, options.validate ?? 'strict');
  const settings = requestSettings(options, schemas);
  const taken = settled.filter(({ role }) => role === 'cluster');
  const ofCluster = new Set(taken.map(({ manifest }) => manifest));
  const examined = { all, schemas, subjects, ofCluster };
  const inputs = await acceptedInputs(examined, problems);
  const held = [...inputs.policies, ...inputs.bindings, ...inputs.context];
  await reportRefusedFields(held, examined, { validation, problems });
  const areStored = options.areStored ?? false;
  const requestOf = requestSource(subjects, { settings, validation, areStored });
  const { leftOut, refusedFields } = problems;
  return { inputs, schemas, held, leftOut, refusedFields, isSchemaCheck, requestOf };
}

/** Returns the inputs without objects that occur more than once; reports those. */
function settledInputs(
  given: readonly GivenManifest[],
  options: Parameters<typeof settleDuplicates>[1],
  problems: ProblemCollector,
): readonly GivenManifest[] {
  const settled = settleDuplicates(given, options);
  for (const problem of settled.problems) {
    const message = `${problem.message} (--last-wins uses the last one)`;
    problems.leaveOut({ ...problem, message });
  }
  for (const note of settled.notes) problems.warn(note);
  return settled.given;
}

/** Reports policies and bindings that do not fit together, and objects of unknown kinds. */
function reportConfiguration(
  all: Inputs,
  {
    schemas,
    options,
    problems,
  }: {
    readonly schemas: Schemas;
    readonly options: PrepareOptions;
    readonly problems: ProblemCollector;
  },
): void {
  const configuration = checkConfiguration(all, options.unreadable);
  for (const problem of configuration.problems) problems.leaveOut(problem);
  for (const problem of unknownKinds(all, schemas)) {
    if (options.ignoreUnknownKinds === true) problems.warn(problem, 'not checked: ');
    else problems.leaveOut(problem);
  }
  for (const note of configuration.notes) problems.warn(note);
}

function requestSource(
  subjects: readonly Manifest[],
  {
    settings,
    validation,
    areStored,
  }: {
    readonly settings: RequestSettings;
    readonly validation: Validation;
    readonly areStored: boolean;
  },
): CheckPlan['requestOf'] {
  return (index, tell, leaveOut) => {
    const manifest = subjects[index];
    if (manifest === undefined) throw new RangeError(`unknown subject ${index}`);
    const made = requestOfManifest(manifest, index + 1, settings);
    if (!('request' in made)) {
      for (const problem of made.problems) {
        tell(problem, 'error');
        leaveOut(problem);
      }
      return undefined;
    }
    const isOfReview = isReview(manifest);
    const refusal = isOfReview
      ? undefined
      : (validation.refusalOf(manifest, tell) ?? missingName(made.request, settings.schemas));
    const isOfClient = !isOfReview && !areStored;
    return { manifest, ...made, isOfClient, ...(refusal === undefined ? {} : { refusal }) };
  };
}

/** How requests are made of manifests. */
function requestSettings(options: PrepareOptions, schemas: Schemas): RequestSettings {
  const { namespace, operation = 'CREATE', subresource = '', dryRun = false } = options;
  const { oldResources = [] } = options;
  return {
    user: userInfo(options.user),
    namespace,
    operation,
    subresource,
    dryRun,
    schemas,
    oldObjectOf: oldObjectSource(oldResources, { namespace, schemas }),
  };
}
