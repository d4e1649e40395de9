import { type KubernetesObject, member } from '@kubeadmit/apimachinery';

/** A condition in the status of an object. */
export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime?: string;
  readonly lastProbeTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
}

/** The conditions in the status of an object. */
export function conditionsOf(object: KubernetesObject): readonly Condition[] {
  const conditions = member(member(object, 'status'), 'conditions');
  return Array.isArray(conditions) ? (conditions as Condition[]) : [];
}

/** Whether the API of a definition is served (apiextensions condition `Established`). */
export function isEstablished(definition: KubernetesObject): boolean {
  return conditionsOf(definition).some(
    ({ type, status }) => type === 'Established' && status === 'True',
  );
}

/** The group of the resources of a definition. */
export function groupOfDefinition(definition: KubernetesObject | undefined): string {
  return String(member(member(definition, 'spec'), 'group') ?? '');
}
