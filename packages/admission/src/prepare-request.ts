import {
  formatGroupVersion,
  type GroupVersionKind,
  type KubernetesObject,
  member,
} from '@kubeadmit/apimachinery';
import { hasMembers } from '@kubeadmit/base';
import { type AdmissionRequest, type RequestAttributes, readAttributes } from '@kubeadmit/engine';
import { decode, type Schemas } from '@kubeadmit/schemas';
import { structOf } from '@kubeadmit/schemas/types';
import { requireCluster, requireRequestOptions } from './arguments.ts';
import type { Cluster, ClusterPlugins } from './cluster.ts';
import { kindOf } from './convert-object.ts';
import { headProblem, unregisteredKind } from './decode/decode-errors.ts';
import { type RequestEnvironment, requestEnvironment } from './request-environment.ts';
import { requestProblem } from './request-problem.ts';
import { requestOfClient } from './write/client-request.ts';
import { decodeManifest } from './write/decode-manifest.ts';

/** A request with its objects as the server would hold them before admission. */
export interface PreparedRequest {
  /** The cluster that evaluates the request. */
  readonly cluster: Cluster;
  /** The `uid` of the request. */
  readonly uid: string;
  /** The object as it was sent. */
  readonly sent: KubernetesObject | null;
  /** The request in the form that policies are evaluated with. */
  readonly attributes: RequestAttributes;
  /** The surroundings of the request that policies see. */
  readonly environment: RequestEnvironment;
  /** The time of the request, for defaults that read the clock. */
  readonly now: string;
  /** Whether a client sends the object; see `RequestOptions.isOfClient`. */
  readonly isOfClient: boolean;
  /** Whether mutating admission made another object of the one that was prepared; default false. */
  readonly isMutated?: boolean;
  /** The admission plugins that run around policies; absent if there are none. */
  readonly plugins?: ClusterPlugins | undefined;
  /** Absent: the request was one. */
  readonly failure?: undefined;
}

/** How a request is read. */
export interface RequestOptions {
  /**
   * Whether to accept incomplete requests as Go's decoder does, with empty values for missing fields (default: false).
   * Only for comparisons with kube-apiserver's plugins: no policy matches a request without an operation.
   */
  readonly allowIncomplete?: boolean | undefined;
  /**
   * Whether the objects come from a server that calls a webhook (default: false). They are then used unchanged,
   * including fields that earlier mutations added to custom resources without a schema for them. Otherwise objects are
   * decoded, pruned, defaulted and validated against their definition.
   */
  readonly isHeld?: boolean | undefined;
  /**
   * Whether the objects come from a client, such as manifests, and not from a server that calls webhooks (default:
   * false). Policies then see the fields that the server sets: managed fields before mutating admission; a generated
   * name, uid, creationTimestamp, generation and the first status after it. Random values are placeholders.
   */
  readonly isOfClient?: boolean | undefined;
  /**
   * The time as in `2026-01-02T03:04:05Z`, for defaults that read the clock, such as `timeAdded` of device taints;
   * default the beginning of 1970.
   */
  readonly now?: string | undefined;
}

/**
 * Reads a request and decodes its objects, or returns the reason why that failed.
 *
 * @throws TypeError if the first argument is not a cluster, or the options are invalid
 */
export function prepareRequest(
  cluster: Cluster,
  request: AdmissionRequest,
  options: RequestOptions = {},
): PreparedRequest | { readonly failure: string } {
  requireCluster('prepareRequest', cluster);
  requireRequestOptions('prepareRequest', options);
  const problem = options.allowIncomplete ? undefined : requestProblem(cluster.schemas, request);
  if (problem !== undefined) return { failure: problem };
  const sent = readAttributes(request);
  const objects = decodeObjects(cluster, sent, options);
  if ('failure' in objects) return objects;
  const { now = beginning, isOfClient = false } = options;
  const decoded = { ...sent, ...objects };
  const attributes = isOfClient
    ? requestOfClient(decoded, { schemas: cluster.schemas, now, sent: sent.object })
    : decoded;
  const isStored = isOfClient || options.isHeld === true;
  const environment = requestEnvironment(cluster, attributes, { isStored });
  const uid = request.uid ?? '';
  const plugins = pluginsFor(cluster, attributes);
  return { cluster, uid, sent: sent.object, attributes, environment, now, isOfClient, plugins };
}

function pluginsFor({ plugins }: Cluster, request: RequestAttributes): ClusterPlugins | undefined {
  const cluster = plugins?.clusterFor?.(request);
  return plugins === undefined || cluster === undefined ? plugins : { ...plugins, cluster };
}

const beginning = '1970-01-01T00:00:00Z';

type Objects = Pick<RequestAttributes, 'object' | 'oldObject'>;

function decodeObjects(
  { schemas }: Cluster,
  { kind, object, oldObject, options }: RequestAttributes,
  { isHeld = false, isOfClient = false, now = beginning }: RequestOptions,
): Objects | { readonly failure: string } {
  const decoded: Record<'object' | 'oldObject', KubernetesObject | null> = {
    object: null,
    oldObject: null,
  };
  for (const [name, given] of [
    ['object', object],
    ['oldObject', oldObject],
  ] as const) {
    if (given === null) continue;
    if (isHeld && isKeptAsSent(schemas, kind)) {
      decoded[name] = given;
      continue;
    }
    const result = decodeObject(schemas, given, kind, { now, isOfClient });
    if (result.error !== undefined) return { failure: `request.${name}: ${result.error}` };
    decoded[name] = result.object ?? null;
  }
  const optionsKind = member(options, 'kind') ?? '';
  if (options !== null && !/^(Create|Update|Patch|Delete)Options$/.test(String(optionsKind))) {
    return { failure: `request.options: unknown kind ${JSON.stringify(optionsKind)}` };
  }
  return decoded;
}

// A built-in object without a kind has the kind of the request.
function decodeObject(
  schemas: Schemas,
  object: KubernetesObject,
  kind: GroupVersionKind,
  { now, isOfClient }: { readonly now: string; readonly isOfClient: boolean },
): ReturnType<typeof decode> {
  if (isCustom(schemas, kind) && hasMembers(object)) return decode(schemas, object, { kind, now });
  const error = headProblem(object);
  if (error !== undefined) return { known: true, error };
  const apiVersion = member(object, 'apiVersion') || formatGroupVersion(kind);
  const named = { ...object, apiVersion, kind: member(object, 'kind') || kind.kind };
  const own = servedKind(kindOf(named));
  if (structOf(schemas, own) === undefined)
    return { known: false, error: unregisteredKind(own.kind, formatGroupVersion(own)) };
  const read = isOfClient ? decodeManifest : decode;
  return read(schemas, named, { kind: own, now });
}

// A server sends objects in the form of their version. Only definitions contain numbers that are always doubles,
// however they are written.
function isKeptAsSent(schemas: Schemas, kind: GroupVersionKind): boolean {
  return kind.group !== 'apiextensions.k8s.io' || isCustom(schemas, kind);
}

function isCustom(schemas: Schemas, kind: GroupVersionKind): boolean {
  return structOf(schemas, servedKind(kind)) === undefined;
}

// The server still takes evictions in a version that it does not serve any more.
function servedKind(kind: GroupVersionKind): GroupVersionKind {
  const isOld = kind.group === 'policy' && kind.version === 'v1beta1' && kind.kind === 'Eviction';
  return isOld ? { ...kind, version: 'v1' } : kind;
}
