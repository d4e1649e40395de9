import { type KubernetesObject, member, memberText } from '@kubeadmit/apimachinery';
import { admitUnstored } from '../admission/admission-chain.ts';
import { withCondition } from '../definitions/accepted-names.ts';
import { conditionsOf } from '../definitions/conditions.ts';
import { conflict, notFound, resourceNotFound } from '../errors/failures.ts';
import type { ApiResponse } from '../http/response.ts';
import { type Endpoint, endpointOf, findEndpoint } from '../kinds/endpoint.ts';
import type { ResourceExchange } from '../machinery/machinery.ts';
import { nameOf, timeNow, withMember } from '../objects/metadata.ts';
import { readDeleteOptions } from '../options/delete-options.ts';
import { readWriteOptions } from '../options/write-options.ts';
import { inNamespace } from '../registry/create-object.ts';
import { deleteObject } from '../registry/delete-object.ts';
import { updateObject } from '../registry/update-object.ts';
import { decodeRequest } from '../verbs/decode-request.ts';
import { objectResponse } from '../verbs/response.ts';

const success = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };

interface Action {
  readonly object: KubernetesObject;
  readonly isDryRun: boolean;
}

// The body of an action, after admission.
async function takeAction(exchange: ResourceExchange): Promise<Action> {
  const { endpoint, info, request } = exchange;
  const options = readWriteOptions(request.query, 'CreateOptions');
  const decoded = await decodeRequest(exchange, options);
  const placed = inNamespace(decoded, endpoint, info.namespace);
  const name = info.name || nameOf(placed);
  const object = await admitUnstored(exchange, placed, { name, options });
  return { object, isDryRun: options.isDryRun };
}

/** Evicts a pod: deletes it after admission of the eviction (core `pods/eviction`). */
export async function createEviction(exchange: ResourceExchange): Promise<ApiResponse> {
  const { machinery, endpoint, info } = exchange;
  const { object, isDryRun } = await takeAction(exchange);
  const given = (member(object, 'deleteOptions') ?? {}) as KubernetesObject;
  const options = readDeleteOptions(isDryRun ? { ...given, dryRun: ['All'] } : given);
  const pods = endpointOf(machinery.cluster.schemas, endpoint.resource);
  await deleteObject(machinery, {
    endpoint: pods,
    namespace: info.namespace,
    name: info.name,
    options,
    admit: async () => {},
  });
  return objectResponse(201, success, exchange.negotiated);
}

const podResource = { group: '', version: 'v1', resource: 'pods', subresource: '' };

/** Binds a pod to a node (core `pods/binding`, and `bindings`, which name the pod in the body). */
export async function createBinding(exchange: ResourceExchange): Promise<ApiResponse> {
  const { machinery, info } = exchange;
  const { object, isDryRun } = await takeAction(exchange);
  const name = info.name || nameOf(object);
  const pods = findEndpoint(machinery.cluster.schemas, podResource);
  if (pods === undefined) throw resourceNotFound();
  const node = String(member(member(object, 'target'), 'name') ?? '');
  await updateObject(machinery, {
    endpoint: wholePod(pods),
    namespace: info.namespace,
    name,
    isDryRun,
    isPatch: true,
    isOfServers: true,
    change: async (pod) => {
      if (pod === undefined) throw notFound(pods.name, name);
      const spec = member(pod, 'spec') as KubernetesObject;
      const bound = member(spec, 'nodeName');
      if (typeof bound === 'string' && bound !== '') {
        throw conflict(
          { group: '', name: 'pods/binding' },
          name,
          `pod ${name} is already assigned to node "${bound}"`,
        );
      }
      const scheduled = withMember(pod, 'spec', { ...spec, nodeName: node });
      const status = (member(pod, 'status') ?? {}) as KubernetesObject;
      const conditions = withCondition(conditionsOf(pod), {
        type: 'PodScheduled',
        status: 'True',
        lastProbeTime: null,
        lastTransitionTime: timeNow(machinery.options.clock),
      });
      return withMember(scheduled, 'status', { ...status, conditions });
    },
    admit: async () => {},
  });
  return objectResponse(201, success, exchange.negotiated);
}

// Binding changes spec and status at once and counts no generation.
function wholePod(endpoint: Endpoint): Endpoint {
  const strategy = { ...endpoint.strategy, resetsStatus: false, countsUpdates: false };
  return { ...endpoint, strategy };
}

/**
 * Answers `pods/log` with an empty body, as kube-apiserver does for a pod without a node. A pod on an unknown node gets
 * 404 with the name of the node.
 */
export async function getPodLog(exchange: ResourceExchange): Promise<ApiResponse> {
  const { machinery, endpoint, info } = exchange;
  const pod = await machinery.registry.require(endpoint, info.namespace, info.name);
  const node = memberText(member(pod, 'spec'), 'nodeName');
  if (node !== '' && !(await hasNode(exchange, node))) {
    throw notFound(endpoint.name, node);
  }
  return { status: 204, headers: {}, body: { type: 'none' } };
}

const nodes = { group: '', version: 'v1', resource: 'nodes', subresource: '' };

async function hasNode({ machinery }: ResourceExchange, name: string): Promise<boolean> {
  const endpoint = findEndpoint(machinery.cluster.schemas, nodes);
  return endpoint !== undefined && (await machinery.registry.get(endpoint, '', name)) !== undefined;
}
