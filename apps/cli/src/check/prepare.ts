import { type AdmissionRequest, createRequest, reviewRequest } from '@kubeadmit/check';
import {
  checkConfiguration,
  definitionProblems,
  type Inputs,
  isKnown,
  isReview,
  problemOf,
  schemasOf,
  sortInputs,
  unknownKinds,
} from '@kubeadmit/lint';
import type { InputProblem, Manifest } from '@kubeadmit/manifest';
import { type Schemas, UnknownVersionError } from '@kubeadmit/schemas';
import { CommandFailure, type Terminal } from '../terminal.ts';
import type { InputOptions } from './options.ts';
import { readInputs } from './read-inputs.ts';

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

/** Takes what is worth saying about the inputs, as it is found. */
export type ReportProblem = (problem: InputProblem, severity: 'error' | 'warning') => void;

/**
 * Reads the inputs of a check and makes requests of them.
 *
 * Whatever is wrong is reported, all of it, and then the answer is `undefined`: a check that leaves
 * something out is worse than none.
 *
 * @throws CommandFailure when the arguments make no sense together.
 */
export async function prepareCheck(
  paths: readonly string[],
  options: InputOptions,
  terminal: Terminal,
  report: ReportProblem,
): Promise<PreparedCheck | undefined> {
  let failed = false;
  const fail = (problem: InputProblem): void => {
    failed = true;
    report(problem, 'error');
  };
  const roles = [
    ['policies', options.policies ?? []],
    ['any', paths],
    ['resources', options.resources ?? []],
  ] as const;
  const given = await readInputs(roles, terminal, {
    fail,
    note: (problem) => report(problem, 'warning'),
  });
  const all = sortInputs(given);
  const schemas = await schemasFor(all, options.kubernetesVersion);
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

/**
 * The kinds of a Kubernetes version and of the definitions among the inputs.
 *
 * @throws CommandFailure when the version is not known.
 */
export async function schemasFor(
  inputs: Inputs,
  kubernetesVersion: string | undefined,
): Promise<Schemas> {
  try {
    return await schemasOf(inputs, kubernetesVersion);
  } catch (error) {
    if (error instanceof UnknownVersionError) throw new CommandFailure(error.message);
    throw error;
  }
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
    throw new CommandFailure(
      "no policy among the inputs (ValidatingAdmissionPolicy, MutatingAdmissionPolicy, or one of Kyverno's kinds)",
    );
  }
  if (subjects.length === 0) {
    throw new CommandFailure(
      'nothing to check: only policies and what they need are among the inputs (-r checks any kind)',
    );
  }
}

function requestsOf(
  inputs: Inputs,
  schemas: Schemas,
  options: InputOptions,
  fail: (problem: InputProblem) => void,
): readonly PreparedRequest[] {
  const requester = {
    user: options.as,
    groups: options.asGroup ?? defaultGroups(options.as),
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
