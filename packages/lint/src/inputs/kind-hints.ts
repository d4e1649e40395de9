import { closest } from '@kubeadmit/base';
import { listResources, type Schemas } from '@kubeadmit/schemas';

/** Whether a group is one of Kubernetes itself, so that no definition can add kinds to it. */
export function isBuiltinGroup(schemas: Schemas, group: string): boolean {
  return listResources(schemas).some(
    (resource) => resource.definition === undefined && resource.group === group,
  );
}

/** Returns the likely kind of a group in the place of an unknown name. */
export function meantKind(schemas: Schemas, group: string, kind: string): string | undefined {
  const kinds = listResources(schemas).filter((resource) => resource.group === group);
  return closest(kind, new Set(kinds.map((resource) => resource.kind)));
}
