import type { FieldError, KubernetesObject } from '@kubeadmit/apimachinery';
import type { Schemas } from '@kubeadmit/schemas';
import type { Endpoint } from './endpoint.ts';
import { validateClaimChange } from './validate-claim-change.ts';
import { validateEphemeralContainers } from './validate-ephemeral-containers.ts';
import { validatePodAnnotations, validatePodChange } from './validate-pod-change.ts';

type ChangeRule = (
  object: KubernetesObject,
  old: KubernetesObject,
  schemas: Schemas,
) => readonly FieldError[];

/** The resources and subresources of the core group that restrict how an object changes. */
const rules: Readonly<Record<string, ChangeRule>> = {
  pods: validatePodChange,
  'pods/status': validatePodAnnotations,
  'pods/ephemeralcontainers': validateEphemeralContainers,
  persistentvolumeclaims: validateClaimChange,
};

/** Returns the errors about changes that are not allowed, which the server reports after those of the new object. */
export function validateChange(
  object: KubernetesObject,
  old: KubernetesObject,
  { name, subresource }: Endpoint,
  schemas: Schemas,
): readonly FieldError[] {
  if (name.group !== '') return [];
  const path = subresource === undefined ? name.name : `${name.name}/${subresource.name}`;
  return rules[path]?.(object, old, schemas) ?? [];
}
