import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { bootstrapRoles } from './bootstrap-data.ts';

/** The roles and bindings that are there from the start (kubernetes `rbac/bootstrappolicy`). */
export function bootstrapPermissions(): readonly KubernetesObject[] {
  return bootstrapRoles
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as KubernetesObject);
}
