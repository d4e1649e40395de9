import type { KubernetesObject, Status } from '@kubeadmit/apimachinery';
import { requireObject, requirePrepared } from './arguments.ts';
import type { PreparedRequest } from './prepare-request.ts';
import { writtenObject as writeObject } from './write/client-request.ts';

/** The result of the checks of an object between mutating and validating admission. */
export interface CheckedObject {
  /** The object as validating policies see it. */
  readonly object: KubernetesObject | null;
  /** Why it does not fit its definition; absent when it does, or has none. */
  readonly denial?: Status | undefined;
  /** The warnings for the client: violated rules that the update did not touch, and the names of new finalizers. */
  readonly warnings?: readonly string[];
}

/**
 * Holds a custom resource that is created or updated against its definition, as kube-apiserver does after mutating
 * admission: its schema, its lists, its rules. Where the status is a subresource, the rest cannot change it.
 *
 * Other objects, and those of a cluster that does not ask for this, pass as they are.
 *
 * @param object what `mutateRequest` gave.
 * @throws TypeError for a value that `prepareRequest` did not return, or its `failure`, and where the object is left
 * out
 */
export function checkDefinition(
  prepared: PreparedRequest,
  object: KubernetesObject | null,
): CheckedObject {
  requirePrepared('checkDefinition', prepared);
  requireObject('checkDefinition', object);
  const written = writtenObject(prepared, object);
  const { cluster, attributes } = prepared;
  const { kind, operation, oldObject, subresource } = attributes;
  const isStored =
    (operation === 'CREATE' && subresource === '') ||
    (operation === 'UPDATE' && (subresource === '' || subresource === 'status'));
  const { storeCustomResource, schemas } = cluster;
  if (storeCustomResource === undefined || written === null || !isStored) {
    return { object: written };
  }
  const warnings = new Set<string>();
  const warn = (text: string): void => void warnings.add(text);
  const stored = storeCustomResource(
    { kind, object: written, oldObject, subresource, warn },
    schemas,
  );
  if (stored === undefined) return { object: written };
  const checked = { object: stored.object, denial: stored.refusal };
  return warnings.size === 0 ? checked : { ...checked, warnings: [...warnings] };
}

/**
 * Returns the object of a client as validating policies see it, without a check; the object of other requests is
 * returned unchanged.
 *
 * @throws TypeError for a value that `prepareRequest` did not return, or its `failure`, and where the object is left
 * out
 */
export function writtenObject(
  prepared: PreparedRequest,
  object: KubernetesObject | null,
): KubernetesObject | null {
  requirePrepared('writtenObject', prepared);
  requireObject('writtenObject', object);
  const { attributes, cluster, now, isOfClient, sent } = prepared;
  if (!isOfClient || object === null) return object;
  return writeObject(attributes, object, {
    schemas: cluster.schemas,
    now,
    sent,
    isMutated: prepared.isMutated === true || object !== attributes.object,
  });
}
