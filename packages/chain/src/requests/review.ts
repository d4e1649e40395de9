import { formatGroupVersion, kindOfObject, member, metadataString } from '@kubeadmit/apimachinery';
import { closest, defined, didYouMean } from '@kubeadmit/base';
import type { AdmissionRequest } from '@kubeadmit/engine';
import { type InputProblem, isRecord, type Manifest, type Path } from '@kubeadmit/manifest';
import {
  findKind,
  findResource,
  findResourceOfKind,
  listResources,
  type Schemas,
} from '@kubeadmit/schemas';
import { type RequestSettings, requestUid } from './make-request.ts';
import { inNamespace, optionsOf, requestFields } from './request-parts.ts';

/** Whether an object contains a request, and is not an object of a cluster. */
export function isReview({ group, kind }: Pick<Manifest, 'group' | 'kind'>): boolean {
  return group === 'admission.k8s.io' && kind === 'AdmissionReview';
}

/** An unknown field of a review. */
export interface UnknownField {
  /** Its path in the review. */
  readonly path: Path;
  /** The message, with a similar name if there is one. */
  readonly message: string;
}

/** The request of a manifest, or everything that is wrong with it. */
export type ReadReview =
  /** The request. */
  | { readonly request: AdmissionRequest }
  /** The problems, with their positions. */
  | { readonly problems: readonly InputProblem[] };

const operations = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];
const reviewFields = ['apiVersion', 'kind', 'request', 'response', 'metadata'];
const kindFields = ['group', 'version', 'kind'];
const resourceFields = ['group', 'version', 'resource'];
const fieldsOf: Readonly<Record<string, readonly string[]>> = {
  kind: kindFields,
  resource: resourceFields,
  requestKind: kindFields,
  requestResource: resourceFields,
  userInfo: ['username', 'uid', 'groups', 'extra'],
};

/**
 * Reads the request of an AdmissionReview (admission.k8s.io/v1) that people wrote. Unknown fields, operations and
 * resources are problems with positions. Values that kube-apiserver would know are added: kind, resource, name and
 * namespace from the object, the user and the options from the settings.
 *
 * @param number creates the uid of a request without one.
 */
export function readReview(
  review: Manifest,
  number: number,
  settings: RequestSettings,
): ReadReview {
  const problems: InputProblem[] = [];
  const complain = (path: Path, message: string): void => {
    problems.push(review.problem(path, message));
  };
  const request = member(review.object, 'request');
  for (const { path, message } of unknownReviewFields(review.object)) complain(path, message);
  if (!isRecord(request)) {
    complain([], 'this AdmissionReview has no request');
    return { problems };
  }
  checkOperation(request, complain);
  if (Object.keys(request).length === 0) return { problems };
  const filled = fillIn(request, number, settings);
  checkKind(filled, settings.schemas, complain);
  if (filled.kind !== undefined) checkObjects(request, complain);
  return problems.length > 0 ? { problems } : { request: filled };
}

type Complain = (path: Path, message: string) => void;

/** Returns the unknown fields of a review and its request, with likely ones. */
export function unknownReviewFields(
  review: Readonly<Record<string, unknown>>,
): readonly UnknownField[] {
  const unknown: UnknownField[] = [];
  const complain: Complain = (path, message) => void unknown.push({ path, message });
  checkFields(review, [], reviewFields, complain);
  const request = member(review, 'request');
  if (!isRecord(request)) return unknown;
  checkFields(request, ['request'], requestFields, complain);
  for (const [name, known] of Object.entries(fieldsOf)) {
    const value = member(request, name);
    if (isRecord(value)) checkFields(value, ['request', name], known, complain);
  }
  return unknown;
}

function checkFields(
  object: Readonly<Record<string, unknown>>,
  path: Path,
  known: readonly string[],
  complain: Complain,
): void {
  for (const name of Object.keys(object)) {
    if (known.includes(name)) continue;
    const field = [...path, name];
    complain(field, `unknown field "${field.join('.')}"${didYouMean(closest(name, known))}`);
  }
}

function checkOperation(request: Readonly<Record<string, unknown>>, complain: Complain): void {
  const operation = member(request, 'operation');
  if (operation === undefined) {
    complain(
      ['request'],
      'the request has no `operation`; expected CREATE, UPDATE, DELETE or CONNECT',
    );
  } else if (typeof operation !== 'string' || !operations.includes(operation)) {
    const hint = typeof operation === 'string' ? didYouMean(closest(operation, operations)) : '';
    complain(['request', 'operation'], `unknown operation ${JSON.stringify(operation)}${hint}`);
  }
}

/** Which objects a request of kube-apiserver always has. */
const objectsOf: ReadonlyMap<unknown, readonly (readonly [field: string, text: string])[]> =
  new Map([
    ['CREATE', [['object', 'the object to create']]],
    [
      'UPDATE',
      [
        ['object', 'the object after the update'],
        ['oldObject', 'the object before the update'],
      ],
    ],
    ['DELETE', [['oldObject', 'the object to delete']]],
  ]);

function checkObjects(request: Readonly<Record<string, unknown>>, complain: Complain): void {
  const operation = member(request, 'operation');
  for (const [field, text] of objectsOf.get(operation) ?? []) {
    if (isRecord(member(request, field))) continue;
    complain(['request'], `a ${operation} request requires \`${field}\`, ${text}`);
  }
}

function checkKind(
  { kind, resource }: AdmissionRequest,
  schemas: Schemas,
  complain: Complain,
): void {
  const { group = '', version = '', resource: name = '' } = resource ?? {};
  if (kind === undefined && resource === undefined) {
    complain(['request'], 'the request has neither a `resource` nor an object');
    return;
  }
  if (name === '' || findResource(schemas, { group, version, resource: name }) !== undefined)
    return;
  const served = listResources(schemas);
  const own = served.filter((each) => each.group === group);
  const byKind = served.find((each) => each.kind.toLowerCase() === name.toLowerCase())?.resource;
  const hint = didYouMean(byKind ?? closest(name, new Set(own.map((each) => each.resource))));
  const where = formatGroupVersion({ group, version });
  complain(
    ['request', 'resource', 'resource'],
    `unknown resource \`${name}\` in ${where} (Kubernetes ${schemas.version})${hint}`,
  );
}

function fillIn(
  given: Readonly<Record<string, unknown>>,
  number: number,
  { schemas, user, dryRun, namespace: otherwise }: RequestSettings,
): AdmissionRequest {
  const request = given as AdmissionRequest;
  const object = isRecord(request.object) ? request.object : request.oldObject;
  const subresource = request.subResource ?? '';
  const resource = request.resource ?? resourceOf(object, schemas);
  const kind =
    request.kind ??
    (resource === undefined ? kindOfObject(object) : kindServed(resource, subresource, schemas)) ??
    kindOfObject(object);
  const name = request.name ?? metadataString(object, 'name');
  const own = request.namespace ?? metadataString(object, 'namespace');
  const isMissing = own === '' && isNamespaced(resource, schemas);
  const namespace = isMissing ? otherwise : own;
  return {
    uid: requestUid(number),
    ...defined({ kind, resource, name: name || undefined, namespace: namespace || undefined }),
    userInfo: user,
    dryRun,
    ...optionsOf(request.operation ?? ''),
    ...request,
    ...(isMissing ? inNamespaceOf(request, namespace) : {}),
  };
}

/** The request in a namespace, with its objects, where kube-apiserver sets it as well. */
function inNamespaceOf(
  { object, oldObject }: AdmissionRequest,
  namespace: string,
): Partial<AdmissionRequest> {
  return {
    namespace,
    ...(isRecord(object) ? { object: inNamespace(object, namespace) } : {}),
    ...(isRecord(oldObject) ? { oldObject: inNamespace(oldObject, namespace) } : {}),
  };
}

function isNamespaced(resource: NamedResource | undefined, schemas: Schemas): boolean {
  const { group = '', version = '', resource: name = '' } = resource ?? {};
  return findResource(schemas, { group, version, resource: name })?.namespaced === true;
}

type NamedResource = NonNullable<AdmissionRequest['resource']>;

function resourceOf(object: unknown, schemas: Schemas): NamedResource | undefined {
  const kind = kindOfObject(object);
  const found = kind && findResourceOfKind(schemas, kind);
  return found && { group: found.group, version: found.version, resource: found.resource };
}

function kindServed(
  { group = '', version = '', resource = '' }: NamedResource,
  subresource: string,
  schemas: Schemas,
): AdmissionRequest['kind'] | undefined {
  return findKind(schemas, { group, version, resource }, subresource);
}
