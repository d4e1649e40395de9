import {
  describeValue,
  hasMembers,
  type OptionKind,
  requireOptions,
  requireValue,
} from '@kubeadmit/base';
import type { RequestUser } from '@kubeadmit/chain';
import { kyvernoRole } from '@kubeadmit/chain/kyverno';
import { isReadByPlugins } from '@kubeadmit/chain/plugins';
import {
  isReview,
  missingName,
  type RequestSettings,
  requestOfManifest,
  requireUser,
  userInfo,
} from '@kubeadmit/chain/requests';
import type { AdmissionRequest } from '@kubeadmit/engine';
import {
  checkConfiguration,
  type GivenManifest,
  type Inputs,
  schemasOf,
  sortInputs,
} from '@kubeadmit/lint';
import {
  automaticBinding,
  type BindingAction,
  definitionProblems,
  isKnown,
  refusedObjects,
  settleDuplicates,
  unknownKinds,
  withoutBinding,
} from '@kubeadmit/lint/inputs';
import { requireGiven } from '@kubeadmit/lint/unstable-internal';
import type { InputProblem, Manifest } from '@kubeadmit/manifest';
import { decode, type Schemas } from '@kubeadmit/schemas';
import { type FieldValidation, type ReportProblem, Validation } from './field-validation.ts';
import { oldObjectSource } from './old-objects.ts';

/** The sorted inputs of a check, before requests are made from them. */
export interface PlannedCheck {
  /** The manifests by their purpose. */
  readonly inputs: Inputs;
  /** The kinds of the server and of the definitions among the inputs. */
  readonly schemas: Schemas;
  /** Every object of the cluster: policies, bindings and their dependencies. */
  readonly held: readonly Manifest[];
  /** The problems of inputs that were skipped; the check continues without them. */
  readonly leftOut: readonly InputProblem[];
  /** Fields of policies and bindings that a server would reject; the policies are evaluated without them. */
  readonly refusedFields: readonly InputProblem[];
  /** Whether no policy was given, so that objects are only checked against schemas, definitions and rules. */
  readonly isSchemaCheck?: boolean;
}

/**
 * Requires a result of `prepareCheck` or `planCheck`.
 *
 * @throws TypeError that names the function and the actual value
 */
export function requirePlanned(call: string, planned: unknown): void {
  if (hasMembers(planned) && hasMembers(planned['inputs']) && Array.isArray(planned['held']))
    return;
  throw new TypeError(
    `${call}: expected the result of \`prepareCheck\`, got ${describeValue(planned)}`,
  );
}

/** A plan whose subjects become requests one by one, on demand. */
export interface CheckPlan extends PlannedCheck {
  /**
   * Makes a request of one of `inputs.subjects`, by its index; undefined if that is impossible. Problems are
   * reported, and passed to `leaveOut` if the subject is left out because of them.
   */
  readonly requestOf: (
    index: number,
    report: ReportProblem,
    leaveOut: (problem: InputProblem) => void,
  ) => PreparedRequest | undefined;
}

/** Everything that a check needs to know, read and in order. */
export interface PreparedCheck extends PlannedCheck {
  /** One for each subject, in their order. */
  readonly requests: readonly PreparedRequest[];
}

/** One request and the manifest that it was made of. */
export interface PreparedRequest {
  /** The manifest. */
  readonly manifest: Manifest;
  /** The request. */
  readonly request: AdmissionRequest;
  /** Whether a client sends the object: false for the request of an AdmissionReview, and for objects of a cluster. */
  readonly isOfClient: boolean;
  /** Why the server would refuse the object before any policy. */
  readonly refusal?: string;
}

/** The options for making requests from manifests, and how strict to be. */
export interface PrepareOptions {
  /** The namespace of manifests that name none. */
  readonly namespace: string;
  /** Who asks. */
  readonly user: RequestUser;
  /** Default `CREATE`. */
  readonly operation?: RequestSettings['operation'] | undefined;
  /** The objects before an update. */
  readonly oldResources?: readonly Manifest[] | undefined;
  /** Default none. */
  readonly subresource?: string | undefined;
  /** Whether requests are only tried; default false. */
  readonly dryRun?: boolean | undefined;
  /** The server's version; default the newest. */
  readonly kubernetesVersion?: string | undefined;
  /** Default `strict`. */
  readonly validate?: FieldValidation | undefined;
  /** Whether the objects are as a cluster stores them, and not manifests that are sent to it; default false. */
  readonly areStored?: boolean | undefined;
  /** Whether the last of several objects with one name counts, and not the first. */
  readonly lastWins?: boolean | undefined;
  /** Whether manifests of kinds that are not known are left out, and not an error. */
  readonly ignoreUnknownKinds?: boolean | undefined;
  /** The problems of inputs that could not be read. */
  readonly unreadable?: readonly InputProblem[] | undefined;
  /** How policies without a binding act; by default they do nothing. */
  readonly bind?: BindingAction | undefined;
  /** Whether objects are checked against their schemas where no policy is given; by default that is an error. */
  readonly withoutPolicies?: boolean | undefined;
  /** Whether admission plugins run beside policies, so that the objects that they read are used; default false. */
  readonly withPlugins?: boolean | undefined;
}

const optionKinds: Readonly<Record<keyof PrepareOptions, OptionKind>> = {
  namespace: 'string',
  user: 'object',
  operation: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'],
  oldResources: 'list',
  subresource: 'string',
  dryRun: 'boolean',
  kubernetesVersion: 'string',
  validate: ['strict', 'warn', 'ignore'],
  areStored: 'boolean',
  lastWins: 'boolean',
  ignoreUnknownKinds: 'boolean',
  unreadable: 'list',
  bind: ['Deny', 'Warn', 'Audit'],
  withoutPolicies: 'boolean',
  withPlugins: 'boolean',
};

/** Says that a check makes no sense: there is no policy, or nothing to check. */
export class NothingToCheckError extends Error {}

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
  const leftOut: InputProblem[] = [...(options.unreadable ?? [])];
  const fail = (problem: InputProblem): void => {
    leftOut.push(problem);
    report(problem, 'error');
  };
  const warn = (problem: InputProblem, about = ''): void => {
    report({ ...problem, message: `${about}${problem.message}` }, 'warning');
  };
  const unused = unusedObjects(given, options);
  const settled = settleDuplicates(given, { ...options, unused });
  for (const problem of settled.problems) {
    fail({ ...problem, message: `${problem.message} (--last-wins uses the last one)` });
  }
  for (const note of settled.notes) warn(note);
  const bound = withBindings(settled.given, options.bind);
  const { all, isSchemaCheck } = sortedInputs(bound, options);
  const schemas = await schemasOf(all, options.kubernetesVersion);
  const { problems, notes } = checkConfiguration(all, options.unreadable);
  problems.forEach(fail);
  for (const problem of unknownKinds(all, schemas)) {
    if (options.ignoreUnknownKinds === true) warn(problem, 'not checked: ');
    else fail(problem);
  }
  for (const note of notes) warn(note);
  reportUnused(
    all.leftovers.filter((manifest) => unused.has(manifest)),
    report,
  );
  const subjects = all.subjects.filter((manifest) => isKnown(manifest, schemas));
  if (leftOut.length === 0 && all.subjects.length > 0 && subjects.length === 0) {
    throw new NothingToCheckError('no objects to check: every object has an unknown kind');
  }
  if (leftOut.length === 0) requireSomething(all, isSchemaCheck);
  const validation = new Validation(schemas, options.validate ?? 'strict');
  const settings = requestSettings(options, schemas);
  const refusedFields: InputProblem[] = [];
  const refuse: ReportProblem = (problem, severity) => {
    if (severity === 'error') refusedFields.push(problem);
    report(problem, severity);
  };
  const isSubject = new Set(subjects);
  const ofCluster = new Set(
    settled.given.filter(({ role }) => role === 'cluster').map(({ manifest }) => manifest),
  );
  const needed = [...all.policies, ...all.bindings, ...all.context];
  const refused = refusedObjects(
    needed.filter((manifest) => !ofCluster.has(manifest)),
    schemas,
  );
  for (const problem of await definitionProblems(all, schemas)) {
    if (ofCluster.has(problem.manifest)) warn(problem);
    else fail(problem);
  }
  for (const problem of refused) {
    // The report has objects that are checked.
    if (isSubject.has(problem.manifest)) continue;
    if (isPolicyKind(problem.manifest)) refuse(problem, 'error');
    else fail(problem);
  }
  const isRefused = new Set(refused.map(({ manifest }) => manifest));
  // For checked objects, the report itself contains the type errors.
  for (const each of all.context) {
    if (isSubject.has(each) && decode(schemas, each.object).error !== undefined)
      isRefused.add(each);
  }
  const inputs = without({ ...all, subjects }, isRefused);
  const held = [...inputs.policies, ...inputs.bindings, ...inputs.context];
  const isTaken = (manifest: Manifest): boolean => ofCluster.has(manifest);
  // Its server may have had fields that are not known here.
  const pass: ReportProblem = (problem) =>
    warn(problem, 'ignored, because the cluster accepted it: ');
  for (const each of held) {
    if (!isSubject.has(each)) validation.refusalOf(each, isTaken(each) ? pass : refuse);
  }
  const isGiven = (manifest: Manifest): boolean => !isTaken(manifest);
  await validation.examineKyverno(inputs.kyverno.filter(isGiven), refuse);
  await validation.examineKyverno(inputs.kyverno.filter(isTaken), pass);
  const requestOf = requestSource(subjects, {
    settings,
    validation,
    areStored: options.areStored ?? false,
  });
  return { inputs, schemas, held, leftOut, refusedFields, isSchemaCheck, requestOf };
}

function requireArguments(given: unknown, options: PrepareOptions, report: unknown): void {
  requireGiven('prepareCheck', given as readonly GivenManifest[]);
  requireOptions('prepareCheck', options, optionKinds);
  requireUser('prepareCheck: `user`', options.user);
  requireValue('prepareCheck', report, 'function', 'a function that receives problems');
}

function isPolicyKind({ group }: Manifest): boolean {
  return group === 'admissionregistration.k8s.io';
}

/** The inputs without objects that never take effect since the server would not store them. */
function without(inputs: Inputs, refused: ReadonlySet<Manifest>): Inputs {
  const isStored = (manifest: Manifest): boolean => !refused.has(manifest);
  return {
    ...inputs,
    policies: inputs.policies.filter(isStored),
    bindings: inputs.bindings.filter(isStored),
    context: inputs.context.filter(isStored),
  };
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

/** Returns the objects given with `-p` that no policy and no plugin uses. */
function unusedObjects(
  given: readonly GivenManifest[],
  options: Pick<PrepareOptions, 'withPlugins' | 'operation'>,
): ReadonlySet<Manifest> {
  const inputs = sortInputs(given);
  const { withPlugins = false } = options;
  if (withPlugins && readsEveryObject(inputs, options.operation)) return new Set();
  return new Set(inputs.leftovers.filter((each) => !withPlugins || !isReadByPlugins(each)));
}

/** Whether plugins read any object: quotas count it, and PodSecurity warns about those of a changed namespace. */
function readsEveryObject(
  { leftovers, subjects }: Inputs,
  operation: PrepareOptions['operation'],
): boolean {
  const hasQuota = [...leftovers, ...subjects].some(({ kind }) => kind === 'ResourceQuota');
  const changesNamespaces = subjects.some(
    (subject) => isReview(subject) || (operation === 'UPDATE' && subject.kind === 'Namespace'),
  );
  return hasQuota || changesNamespaces;
}

function reportUnused(unused: readonly Manifest[], report: ReportProblem): void {
  const [first] = unused;
  if (first === undefined) return;
  const message =
    unused.length === 1
      ? `${first.title}, given with -p, is not used by any policy and was ignored; use -r to check it`
      : `${unused.length} objects given with -p are not used by any policy and were ignored; use -r to check them (the first is ${first.title})`;
  report({ file: first.file, message }, 'warning');
}

/** The inputs by their roles; without any policy, whatever was not given with `-p` is checked, whatever its kind. */
function sortedInputs(
  given: readonly GivenManifest[],
  { withoutPolicies = false, unreadable = [] }: PrepareOptions,
): { readonly all: Inputs; readonly isSchemaCheck: boolean } {
  const all = sortInputs(given);
  const isSchemaCheck = withoutPolicies && unreadable.length === 0 && !hasPolicies(all);
  if (!isSchemaCheck) return { all, isSchemaCheck };
  const checked = given.map((one) =>
    one.role === 'any' ? { ...one, role: 'resources' as const } : one,
  );
  return { all: sortInputs(checked), isSchemaCheck };
}

/** The inputs with a binding for each policy that has none, if there is an action for these. */
function withBindings(
  given: readonly GivenManifest[],
  action: BindingAction | undefined,
): readonly GivenManifest[] {
  if (action === undefined) return given;
  const { policies, bindings } = sortInputs(given);
  const made = withoutBinding(policies, bindings).map((policy) => ({
    manifest: automaticBinding(policy, action),
    role: 'policies' as const,
  }));
  return [...given, ...made];
}

function hasPolicies({ policies, statics, kyverno }: Inputs): boolean {
  const acting = kyverno.filter((manifest) => kyvernoRole(manifest) !== 'data');
  return policies.length + statics.length + acting.length > 0;
}

function requireSomething(inputs: Inputs, isSchemaCheck: boolean): void {
  const { subjects } = inputs;
  if (!isSchemaCheck && !hasPolicies(inputs)) {
    throw new NothingToCheckError(
      "no policy among the inputs (ValidatingAdmissionPolicy, MutatingAdmissionPolicy, or one of Kyverno's kinds)",
    );
  }
  if (subjects.length === 0 && isSchemaCheck) {
    throw new NothingToCheckError('no objects to check: the inputs contain no Kubernetes object');
  }
  if (subjects.length === 0) {
    throw new NothingToCheckError(
      'no objects to check: the inputs contain only policies and their dependencies (use -r to check any kind)',
    );
  }
}
