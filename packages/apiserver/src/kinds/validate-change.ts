import { memberAt } from '@kubeadmit/admission/writes';
import {
  type FieldError,
  formatGroupName,
  type KubernetesObject,
  member,
} from '@kubeadmit/apimachinery';
import { forbidden, invalid } from '@kubeadmit/apimachinery/field-errors';
import { deepEqual } from '@kubeadmit/go';
import type { Schemas } from '@kubeadmit/schemas';
import type { Endpoint } from './endpoint.ts';
import { validateClaimChange } from './validate-claim-change.ts';
import { validateEphemeralContainers } from './validate-ephemeral-containers.ts';
import { validatePodChange } from './validate-pod-change.ts';
import { validatePodResize } from './validate-pod-resize.ts';
import { validatePodStatus } from './validate-pod-status.ts';

type ChangeRule = (
  object: KubernetesObject,
  old: KubernetesObject,
  schemas: Schemas,
) => readonly FieldError[];

/** The resources and subresources that restrict how an object changes, as `RESOURCE.GROUP/SUBRESOURCE`. */
const rules: Readonly<Record<string, ChangeRule>> = {
  pods: validatePodChange,
  'pods/status': validatePodStatus,
  'pods/ephemeralcontainers': validateEphemeralContainers,
  'pods/resize': validatePodResize,
  persistentvolumeclaims: validateClaimChange,
  resourcequotas: validateScopes,
  'daemonsets.apps': immutable('spec.selector'),
  'deployments.apps': immutable('spec.selector'),
  'ingressclasses.networking.k8s.io': immutable('spec.controller'),
  'priorityclasses.scheduling.k8s.io': validatePriorityChange,
  'replicasets.apps': immutable('spec.selector'),
  'runtimeclasses.node.k8s.io': declaredImmutable('handler'),
  'storageclasses.storage.k8s.io': declaredImmutable(
    ...['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'],
  ),
};

/** Returns the errors about changes that are not allowed, which the server reports after those of the new object. */
export function validateChange(
  object: KubernetesObject,
  old: KubernetesObject,
  { name, subresource }: Endpoint,
  schemas: Schemas,
): readonly FieldError[] {
  const resource = formatGroupName(name);
  const path = subresource === undefined ? resource : `${resource}/${subresource.name}`;
  return rules[path]?.(object, old, schemas) ?? [];
}

/** The rule of fields that never change (`ValidateImmutableField`). */
function immutable(...paths: readonly string[]): ChangeRule {
  return (object, old) =>
    changedFields(object, old, paths).map(({ path, now }) => refusal(path, now));
}

/** The same, generated from a declaration (`+k8s:immutable`): it does not show the value. */
function declaredImmutable(...paths: readonly string[]): ChangeRule {
  return (object, old) => changedFields(object, old, paths).map(({ path }) => refusal(path, null));
}

function changedFields(object: KubernetesObject, old: KubernetesObject, paths: readonly string[]) {
  const valueAt = (each: KubernetesObject, path: string): unknown =>
    memberAt(each, ...path.split('.')) ?? null;
  return paths
    .map((path) => ({ path, now: valueAt(object, path) }))
    .filter(({ path, now }) => !deepEqual(now, valueAt(old, path)));
}

function refusal(path: string, value: unknown): FieldError {
  return invalid(path, value, 'field is immutable');
}

const preemption = immutable('preemptionPolicy');

// scheduling validation `ValidatePriorityClassUpdate`
function validatePriorityChange(...[object, old, schemas]: Parameters<ChangeRule>): FieldError[] {
  const isSame = (member(object, 'value') ?? 0) === (member(old, 'value') ?? 0);
  return [
    ...(isSame ? [] : [forbidden('value', 'may not be changed in an update.')]),
    ...preemption(object, old, schemas),
  ];
}

// core validation `ValidateResourceQuotaUpdate`
function validateScopes(object: KubernetesObject, old: KubernetesObject): FieldError[] {
  const [now, before] = [object, old].map((each) => memberAt(each, 'spec', 'scopes') ?? null);
  const sorted = (scopes: unknown): readonly unknown[] =>
    [...new Set((scopes ?? []) as readonly unknown[])].sort();
  return deepEqual(sorted(now), sorted(before)) ? [] : [refusal('spec.scopes', now)];
}
