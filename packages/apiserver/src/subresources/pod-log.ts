import { member } from '@kubeadmit/apimachinery';
import { memberText } from '@kubeadmit/apimachinery/internal';
import { notFound } from '../errors/failures.ts';
import type { ApiResponse } from '../http/response.ts';
import { findEndpoint } from '../kinds/endpoint.ts';
import type { ResourceExchange } from '../machinery/machinery.ts';

/** Answers `pods/log`: nothing, as kube-apiserver answers for a pod that no node runs; its 404 names a node that is not there. */
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
