import type { AdmissionRequest } from '@kubeadmit/engine';
import {
  checkConfiguration,
  definitionProblems,
  type GivenManifest,
  type Inputs,
  isKnown,
  isReview,
  problemOf,
  schemasOf,
  sortInputs,
  unknownKinds,
} from '@kubeadmit/lint';
import type { InputProblem, Manifest } from '@kubeadmit/manifest';
import type { Schemas } from '@kubeadmit/schemas';
import { createRequest, reviewRequest } from './requests.ts';

/** Everything that a check needs to know, read and in order. */
export interface PreparedCheck {
  readonly inputs: Inputs;
  readonly schemas: Schemas;
  /** Every object of the cluster: policies, bindings and what they need. */
  readonly held: readonly Manifest[];
  readonly requests: readonly PreparedRequest[];
}

/** One request and the manifest that it was made of. */
export interface PreparedRequest {
  readonly manifest: Manifest;
  readonly request: AdmissionRequest;
}

/** Whom requests are made as, and of what. */
export interface PrepareOptions {
  /** The namespace of manifests that name none. */
  readonly namespace: string;
  readonly user: string;
  /** Default: the groups that authentication gives to the user. */
  readonly groups?: readonly string[] | undefined;
  readonly kubernetesVersion?: string | undefined;
  /** Whether manifests of kinds that are not known are left out, and not an error. */
  readonly ignoreUnknownKinds?: boolean | undefined;
  /** Whether some inputs could not be read, so that nothing is decided. */
  readonly hasUnreadable?: boolean | undefined;
}

/** Takes what is worth saying about the inputs, as it is found. */
export type ReportProblem = (problem: InputProblem, severity: 'error' | 'warning') => void;

/** Says that a check makes no sense: there is no policy, or nothing to check. */
export class NothingToCheckError extends Error {}

/**
 * Makes requests of manifests, and sorts out what is around them.
 *
 * Whatever is wrong is reported, all of it, and then the answer is `undefined`. Rejects with
 * {@link NothingToCheckError}, and with `UnknownVersionError` for a version that is not known.
 */
export async function prepareCheck(
  given: readonly GivenManifest[],
  options: PrepareOptions,
  report: ReportProblem,
): Promise<PreparedCheck | undefined> {
  let failed = options.hasUnreadable === true;
  const fail = (problem: InputProblem): void => {
    failed = true;
    report(problem, 'error');
  };
  const all = sortInputs(given);
  const schemas = await schemasOf(all, options.kubernetesVersion);
  const unknown = unknownKinds(all, schemas);
  const { problems, notes } = checkConfiguration(all);
  problems.forEach(fail);
  if (options.ignoreUnknownKinds !== true) unknown.forEach(fail);
  if (failed) return undefined;
  for (const problem of unknown) {
    report({ ...problem, message: `not checked: ${problem.message}` }, 'warning');
  }
  for (const note of notes) report(note, 'warning');
  for (const problem of definitionProblems(all, schemas)) {
    report({ ...problem, message: `a cluster would not take it: ${problem.message}` }, 'warning');
  }
  reportLeftovers(all, report);
  const subjects = all.subjects.filter((manifest) => isKnown(manifest, schemas));
  const inputs = { ...all, subjects };
  requireSomething(inputs);
  const requests = requestsOf(inputs, schemas, options, fail);
  if (failed) return undefined;
  const held = [...inputs.policies, ...inputs.bindings, ...inputs.context];
  return { inputs, schemas, held, requests };
}

function reportLeftovers({ leftovers }: Inputs, report: ReportProblem): void {
  const [first] = leftovers;
  if (first === undefined) return;
  const count = leftovers.length === 1 ? '1 object' : `${leftovers.length} objects`;
  const message = `${count} given with -p are not policies, nor what policies refer to, and are not checked; the first is ${first.title}`;
  report({ file: first.file, message }, 'warning');
}

function requireSomething({ policies, kyverno, subjects }: Inputs): void {
  if (policies.length + kyverno.length === 0) {
    throw new NothingToCheckError(
      "no policy among the inputs (ValidatingAdmissionPolicy, MutatingAdmissionPolicy, or one of Kyverno's kinds)",
    );
  }
  if (subjects.length === 0) {
    throw new NothingToCheckError(
      'nothing to check: only policies and what they need are among the inputs (-r checks any kind)',
    );
  }
}

function requestsOf(
  inputs: Inputs,
  schemas: Schemas,
  options: PrepareOptions,
  fail: (problem: InputProblem) => void,
): readonly PreparedRequest[] {
  const requester = {
    user: options.user,
    groups: options.groups ?? defaultGroups(options.user),
    namespace: options.namespace,
  };
  return inputs.subjects.flatMap((manifest, index) => {
    const request = isReview(manifest)
      ? reviewRequest(manifest, index + 1)
      : createRequest(manifest, index + 1, schemas, requester);
    if (request !== undefined) return [{ manifest, request }];
    fail(problemOf(manifest, [], 'this AdmissionReview has no request'));
    return [];
  });
}

function defaultGroups(user: string): readonly string[] {
  return user === 'kubernetes-admin'
    ? ['system:masters', 'system:authenticated']
    : ['system:authenticated'];
}
