import {
  isReview,
  makeRequest,
  missingName,
  type RequestSettings,
  readReview,
  userInfo,
} from '@kubeadmit/chain/requests';
import { strictRefusal } from '@kubeadmit/check/unstable-internal';
import type { AdmissionRequest } from '@kubeadmit/engine';
import { findUnknownFields, isKnown, unknownKindText } from '@kubeadmit/lint/inputs';
import { formatPlace, type InputProblem, isRecord, Manifest } from '@kubeadmit/manifest';
import type { Schemas } from '@kubeadmit/schemas';
import type { ObjectChange, SuiteCase } from '../format/suite.ts';
import { CaseProblem, type ReferenceReader } from '../load/reference-reader.ts';
import { changeObject } from './change-object.ts';
import { FieldPathProblem } from './field-path.ts';
import { updateProblem } from './same-object.ts';

/** The request of a case, and why the server would refuse its object before any policy. */
export interface CaseRequest {
  readonly request: AdmissionRequest;
  /** Whether it is made of an object, and not that of a review. */
  readonly isOfClient: boolean;
  readonly refusal?: string;
}

/** A case with the object that it is about. */
interface CaseSubject {
  readonly origin: SuiteCase;
  readonly subject: Manifest;
  /** Whether the old object of an update may have another name. */
  readonly allowsRenaming: boolean;
}

/**
 * Makes the request of a case.
 *
 * @throws CaseProblem where none can be made.
 */
export async function requestOf(
  { origin, subject, allowsRenaming }: CaseSubject,
  schemas: Schemas,
  reader: ReferenceReader,
): Promise<CaseRequest> {
  const { request, changes, ownChanges } = origin;
  const { operation = 'CREATE', subresource = '', dryRun = false, namespace = 'default' } = request;
  const user = userInfo(request.user ?? { name: 'kubernetes-admin' });
  const settings = { user, namespace, operation, subresource, dryRun, schemas };
  if (isReview(subject)) return requestFor(subject, { ...settings, oldObjectOf: () => undefined });
  const object = changed(subject, changes, reader);
  const old = await oldObject(origin, reader, () =>
    changed(subject, changes.slice(0, changes.length - ownChanges.length), reader),
  );
  const given = request.oldObject === undefined ? undefined : old;
  requireSameObject(object, given, { ...settings, allowsRenaming }, (message) =>
    reader.problemAt([...origin.path, 'oldObject'], message),
  );
  return requestFor(object, { ...settings, oldObjectOf: () => old?.object });
}

/**
 * Checks that an update is about one object.
 *
 * @throws CaseProblem if the old object is another one
 */
export function requireSameObject(
  object: Manifest,
  old: Manifest | undefined,
  settings: Pick<RequestSettings, 'schemas' | 'namespace' | 'operation'> & {
    readonly allowsRenaming?: boolean;
  },
  problemAt?: (message: string) => InputProblem,
): void {
  if (old === undefined || settings.operation !== 'UPDATE') return;
  const problem = updateProblem(object, old, settings);
  if (problem !== undefined) throw new CaseProblem(problem, problemAt?.(problem));
}

/**
 * The request about an object, or that of a review.
 *
 * @throws CaseProblem where none can be made.
 */
export function requestFor(object: Manifest, settings: RequestSettings): CaseRequest {
  const { schemas, operation } = settings;
  if (isReview(object)) {
    const read = readReview(object, 1, settings);
    if ('request' in read) return { request: read.request, isOfClient: false };
    throw problemsOf(read.problems);
  }
  if (!isKnown(object, schemas)) {
    const message = unknownKindText(object, schemas);
    throw new CaseProblem(message, object.problem(['kind'], message));
  }
  const made = makeRequest(object, 1, settings);
  if ('problem' in made) throw new CaseProblem(made.problem);
  const { request } = made;
  const unknown = operation === 'DELETE' ? [] : findUnknownFields(object, schemas);
  const refusal =
    unknown.length > 0 ? strictRefusal(object, unknown) : missingName(request, schemas);
  return { request, isOfClient: true, ...(refusal === undefined ? {} : { refusal }) };
}

async function oldObject(
  { request: { operation, oldObject: given } }: SuiteCase,
  reader: ReferenceReader,
  unchanged: () => Manifest,
): Promise<Manifest | undefined> {
  if (operation === 'UPDATE') return given === undefined ? unchanged() : reader.one(given);
  if (given === undefined) return undefined;
  throw new CaseProblem('`oldObject` requires `operation: UPDATE` (for DELETE, use `object`)');
}

function changed(
  subject: Manifest,
  changes: readonly ObjectChange[],
  reader: ReferenceReader,
): Manifest {
  let object: unknown = subject.object;
  for (const change of changes) {
    try {
      object = changeObject(object, change);
    } catch (error) {
      if (!(error instanceof FieldPathProblem)) throw error;
      throw new CaseProblem(error.message, reader.problemAt(change.path, error.message));
    }
  }
  if (!isRecord(object)) throw new CaseProblem('the changes removed the object');
  return new Manifest(object as unknown as Manifest['object'], subject.origin, subject.path);
}

/** Everything that is wrong with a request, as one problem. */
export function problemsOf(problems: readonly InputProblem[]): CaseProblem {
  const texts = problems.map(({ file, place, message }) => {
    const where = formatPlace(file, place);
    return where === '' ? message : `${where}: ${message}`;
  });
  return new CaseProblem(texts.join('\n'), problems[0]);
}
