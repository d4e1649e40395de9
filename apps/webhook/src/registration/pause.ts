import { type KubernetesObject, member, metadataString } from '@kubeadmit/apimachinery';
import type { ApiClient } from '../cluster/api-client.ts';

const annotation = 'kubeadmit.dev/registration-paused';

/** The name of the Lease whose holder writes the webhook configurations of a name. */
export function registrationLease(name: string): string {
  return `${name}-registration`;
}

/** The path of that Lease. */
export function leasePath(namespace: string, name: string): string {
  return `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases/${registrationLease(name)}`;
}

/** Whether the registration is paused, so that deleted configurations are not written again. */
export function isPaused(lease: KubernetesObject | undefined): boolean {
  return member(member(member(lease, 'metadata'), 'annotations'), annotation) === 'true';
}

/** The namespaces of the Leases of a name. */
async function leaseNamespaces(client: ApiClient, name: string): Promise<readonly string[]> {
  const selector = encodeURIComponent(`metadata.name=${registrationLease(name)}`);
  const path = `/apis/coordination.k8s.io/v1/leases?fieldSelector=${selector}`;
  const found: string[] = [];
  for await (const { items } of client.pages(path, 100)) {
    for (const item of items) {
      if (metadataString(item, 'name') === registrationLease(name)) {
        found.push(metadataString(item, 'namespace'));
      }
    }
  }
  return found;
}

/** Pauses or resumes the registration of a name; returns the namespaces of the affected webhooks. */
export async function setPaused(
  client: ApiClient,
  name: string,
  paused: boolean,
): Promise<readonly string[]> {
  const namespaces = await leaseNamespaces(client, name);
  for (const namespace of namespaces) {
    await client.ask(leasePath(namespace, name), {
      method: 'PATCH',
      contentType: 'application/merge-patch+json',
      body: JSON.stringify({ metadata: { annotations: { [annotation]: paused ? 'true' : null } } }),
    });
  }
  return namespaces;
}
