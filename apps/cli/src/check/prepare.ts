import {
  loadSchemas,
  type Schemas,
  UnknownVersionError,
  withDefinitions,
} from '@kubeadmit/schemas';
import { readSources } from '../input/sources.ts';
import type { InputProblem } from '../manifest/documents.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { readManifests } from '../manifest/read.ts';
import { Progress } from '../output/progress.ts';
import { CommandFailure, type Terminal } from '../terminal.ts';
import { checkConfiguration, isKnown, problemOf, unknownKinds } from './configuration.ts';
import { type GivenManifest, type Inputs, isReview, type Role, sortInputs } from './inputs.ts';
import type { CheckOptions } from './options.ts';
import { type AdmissionRequest, createRequest, reviewRequest } from './requests.ts';

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

/** Texts of fewer characters than this are read at once. */
const largeInput = 2_000_000;

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
  options: CheckOptions,
  terminal: Terminal,
  report: ReportProblem,
): Promise<PreparedCheck | undefined> {
  let failed = false;
  const fail = (problem: InputProblem): void => {
    failed = true;
    report(problem, 'error');
  };
  const given = await readGiven(paths, options, terminal, {
    fail,
    note: (problem) => report(problem, 'warning'),
  });
  if (failed) return undefined;

  const all = sortInputs(given);
  const schemas = await schemasFor(all, options);
  const unknown = unknownKinds(all, schemas);
  const { problems, notes } = checkConfiguration(all);
  problems.forEach(fail);
  if (options.ignoreUnknownKinds !== true) unknown.forEach(fail);
  if (failed) return undefined;
  for (const problem of unknown) {
    report({ ...problem, message: `not checked: ${problem.message}` }, 'warning');
  }
  for (const note of notes) report(note, 'warning');

  const subjects = all.subjects.filter((manifest) => isKnown(manifest, schemas));
  const inputs = { ...all, subjects };
  requireSomething(inputs);
  const requests = requestsOf(inputs, schemas, options, fail);
  if (failed) return undefined;
  const held = [...inputs.policies, ...inputs.bindings, ...inputs.context];
  return { inputs, schemas, held, requests };
}

interface Listener {
  readonly fail: (problem: InputProblem) => void;
  readonly note: (problem: InputProblem) => void;
}

async function readGiven(
  paths: readonly string[],
  options: CheckOptions,
  terminal: Terminal,
  { fail, note }: Listener,
): Promise<readonly GivenManifest[]> {
  const roles: readonly (readonly [Role, readonly string[]])[] = [
    ['policies', options.policies ?? []],
    ['any', paths],
    ['resources', options.resources ?? []],
  ];
  const all = roles.flatMap(([, list]) => list);
  if (all.length === 0) {
    throw new CommandFailure('nothing to read: name files or folders, or - for standard input');
  }
  if (all.filter((path) => path === '-').length > 1) {
    throw new CommandFailure('standard input (-) can be read only once');
  }
  const given: GivenManifest[] = [];
  for (const [role, list] of roles) {
    const { sources, problems } = await readSources(list, terminal);
    problems.forEach(fail);
    const total = sources.reduce((sum, { text }) => sum + text.length, 0);
    const progress = new Progress(terminal.stderr, total, largeInput);
    let done = 0;
    for (const source of sources) {
      progress.show('reading', done, total);
      const found = readManifests(source);
      found.problems.forEach(fail);
      given.push(...found.manifests.map((manifest) => ({ manifest, role })));
      if (found.manifests.length + found.problems.length === 0) {
        note({ file: source.name, message: 'no Kubernetes object in this file' });
      }
      done += source.text.length;
    }
    progress.clear();
  }
  return given;
}

async function schemasFor(inputs: Inputs, options: CheckOptions): Promise<Schemas> {
  try {
    const { kubernetesVersion } = options;
    const schemas = await loadSchemas(
      kubernetesVersion === undefined ? {} : { version: kubernetesVersion },
    );
    const definitions = inputs.context.filter(({ kind }) => kind === 'CustomResourceDefinition');
    return withDefinitions(
      schemas,
      definitions.map(({ object }) => object),
    );
  } catch (error) {
    if (error instanceof UnknownVersionError) throw new CommandFailure(error.message);
    throw error;
  }
}

function requireSomething({ policies, subjects }: Inputs): void {
  if (policies.length === 0) {
    throw new CommandFailure(
      'no policy among the inputs (ValidatingAdmissionPolicy, MutatingAdmissionPolicy)',
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
  options: CheckOptions,
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
