import { member } from '@kubeadmit/apimachinery';
import { configurationKinds, configurationPath } from '../certificates/webhook-configurations.ts';
import type { ApiClient } from '../cluster/api-client.ts';

/** The Deployment of the webhook, and the configurations that it registers. */
export interface ScaledDeployment {
  readonly namespace: string;
  readonly deployment: string;
  /** The name of the configurations. */
  readonly name: string;
}

const milliseconds = 3_000;

/**
 * Deletes the webhook configurations if a Deployment was scaled to zero or deleted, and returns whether it did.
 *
 * Without this, kube-apiserver rejects the requests of policies with `Fail` until a replica runs again.
 *
 * @throws ApiError if the server cannot be reached or refuses
 */
export async function unregisterAtZero(
  client: Pick<ApiClient, 'find' | 'remove'>,
  { namespace, deployment, name }: ScaledDeployment,
): Promise<boolean> {
  const signal = AbortSignal.timeout(milliseconds);
  const path = `/apis/apps/v1/namespaces/${namespace}/deployments/${deployment}`;
  const object = await client.find(path, { signal });
  const isLeaving = member(member(object, 'metadata'), 'deletionTimestamp') !== undefined;
  const replicas = member(member(object, 'spec'), 'replicas');
  if (object !== undefined && !isLeaving && replicas !== 0) return false;
  for (const { resource } of configurationKinds) {
    await client.remove(`${configurationPath(resource)}/${name}`);
  }
  return true;
}
