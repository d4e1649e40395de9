import { type KubernetesObject, member, memberList } from '@kubeadmit/apimachinery';

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
  return memberList(member(object, 'status'), 'conditions') as readonly Condition[];
}

/** Whether the API of a definition is served (apiextensions condition `Established`). */
export function isEstablished(definition: KubernetesObject): boolean {
  return conditionsOf(definition).some(
    ({ type, status }) => type === 'Established' && status === 'True',
  );
}

/** Returns a version of a definition, or `undefined` if it does not exist. */
export function definitionVersion(
  definition: KubernetesObject | undefined,
  name: string,
): KubernetesObject | undefined {
  return versionsOf(definition).find((version) => member(version, 'name') === name);
}

export function versionsOf(definition: KubernetesObject | undefined): readonly KubernetesObject[] {
  return memberList(member(definition, 'spec'), 'versions') as readonly KubernetesObject[];
}

/** The group of the resources of a definition. */
export function groupOfDefinition(definition: KubernetesObject | undefined): string {
  return String(member(member(definition, 'spec'), 'group') ?? '');
}

/** The finalizer that keeps a definition until its objects are deleted. */
export const cleanupFinalizer: string = 'customresourcecleanup.apiextensions.k8s.io';
