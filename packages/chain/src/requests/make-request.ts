import { formatGroupVersion } from '@kubeadmit/apimachinery';
import type { AdmissionRequest, UserInfo } from '@kubeadmit/engine';
import type { Manifest } from '@kubeadmit/manifest';
import type { Schemas } from '@kubeadmit/schemas';
import { inNamespace, isNamespace, optionsOf } from './request-parts.ts';
import { type RequestOperation, type RequestTarget, targetOf } from './request-target.ts';

/** The parts of a manifest that make a request. */
export type RequestSubject = Pick<
  Manifest,
  'group' | 'version' | 'kind' | 'namespace' | 'name' | 'title' | 'object'
>;

/** The common settings of requests from manifests. */
export interface RequestSettings<Subject extends RequestSubject = Manifest> {
  /** The user who sends the requests. */
  readonly user: UserInfo;
  /** The namespace of manifests that name none. */
  readonly namespace: string;
  /**
   * The default operation; a manifest of a kind that only a subresource accepts uses the subresource's operation
   * instead.
   */
  readonly operation: RequestOperation;
  /** Such as `scale`, or `statefulsets/scale`; empty for none. */
  readonly subresource: string;
  /** Whether the requests are only tried. */
  readonly dryRun: boolean;
  /** The kinds of the server. */
  readonly schemas: Schemas;
  /** Returns the object before an update, or `undefined` if it is unknown. */
  readonly oldObjectOf: (manifest: Subject) => Manifest['object'] | undefined;
}

/** A request, or why none can be made. */
export type MadeRequest = { readonly request: AdmissionRequest } | { readonly problem: string };

/**
 * The request that kube-apiserver would make of an operation on an object.
 *
 * @param number makes the request's uid, so that the same inputs give the same requests.
 */
export function makeRequest<Subject extends RequestSubject>(
  manifest: Subject,
  number: number,
  settings: RequestSettings<Subject>,
): MadeRequest {
  const { group, version, kind } = manifest;
  const target = targetOf({ group, version, kind }, settings);
  if ('problem' in target) return target;
  const { resource, subresource, kind: asked, operation, namespaced } = target;
  const isInNamespace = namespaced ?? manifest.namespace !== '';
  const namespace = isInNamespace ? manifest.namespace || settings.namespace : '';
  // A request about a namespace is one in that namespace (apiserver `RequestInfo`).
  const requestNamespace = isNamespace(manifest) ? manifest.name : namespace;
  const objects = objectsOf(manifest, { namespace, target, oldObjectOf: settings.oldObjectOf });
  if ('problem' in objects) return objects;
  const request = {
    uid: requestUid(number),
    kind: asked,
    resource,
    ...(subresource === '' ? {} : { subResource: subresource }),
    requestKind: asked,
    requestResource: resource,
    ...(subresource === '' ? {} : { requestSubResource: subresource }),
    ...(manifest.name === '' ? {} : { name: manifest.name }),
    ...(requestNamespace === '' ? {} : { namespace: requestNamespace }),
    operation,
    userInfo: settings.user,
    ...objects,
    dryRun: settings.dryRun,
    ...optionsOf(operation),
  };
  return { request };
}

type Objects = Pick<AdmissionRequest, 'object' | 'oldObject'>;

function objectsOf<Subject extends RequestSubject>(
  manifest: Subject,
  {
    namespace,
    target: { operation, kind: asked },
    oldObjectOf,
  }: Pick<RequestSettings<Subject>, 'oldObjectOf'> & {
    readonly namespace: string;
    readonly target: RequestTarget;
  },
): Objects | { readonly problem: string } {
  // The options of a connection have no metadata.
  const object =
    operation === 'CONNECT' ? manifest.object : inNamespace(manifest.object, namespace);
  if (operation === 'CREATE') return { object, oldObject: null };
  if (operation === 'DELETE') return { object: null, oldObject: object };
  if (operation === 'CONNECT') {
    if (manifest.kind === asked.kind) return { object, oldObject: null };
    const apiVersion = formatGroupVersion(asked);
    return { object: { apiVersion, kind: asked.kind }, oldObject: null };
  }
  const old = oldObjectOf(manifest);
  if (old === undefined) {
    return {
      problem: `${manifest.title} is not among the old resources, so there is no update to check`,
    };
  }
  return { object, oldObject: inNamespace(old, namespace) };
}

/** A uid for the request of a number, from 1. */
export function requestUid(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}
