import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { loadSchemas } from '@kubeadmit/schemas';
import { ObjectCluster } from '../../src/plugins/object-cluster.ts';
import { RbacAuthorizer } from '../../src/rbac-authorizer.ts';

const schemas = await loadSchemas({ version: '1.37' });

/** Returns a cluster for plugins that contains some objects, by the resource of each list. */
export function clusterOf(
  objects: Readonly<Record<string, readonly KubernetesObject[]>>,
): ObjectCluster {
  const cluster = new ObjectCluster({
    schemas,
    minor: 37,
    authorizer: new RbacAuthorizer([]),
    now: () => Date.parse('2026-01-01T00:00:00Z'),
  });
  for (const [resource, list] of Object.entries(objects)) {
    for (const object of list) cluster.put(resource, object);
  }
  return cluster;
}
