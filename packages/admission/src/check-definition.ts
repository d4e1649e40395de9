import type { KubernetesObject, Status } from '@kubeadmit/apimachinery';
import { requireObject, requirePrepared } from './arguments.ts';
import type { PreparedRequest } from './prepare-request.ts';

/** What became of an object between mutating and validating admission. */
export interface CheckedObject {
  /** The object as validating policies see it. */
  readonly object: KubernetesObject | null;
  /** Why it does not fit its definition; absent when it does, or has none. */
  readonly denial?: Status | undefined;
  /** What the client is warned of: rules that an update breaks where nothing changed, names of new finalizers. */
  readonly warnings?: readonly string[];
}

/**
 * Holds a custom resource that is created or updated against its definition, as kube-apiserver does after mutating
 * admission: its schema, its lists, its rules. Where the status is a subresource, the rest cannot change it.
 *
 * Other objects, and those of a cluster that does not ask for this, pass as they are.
 *
 * @param object what `mutateRequest` gave.
 * @throws TypeError for what `prepareRequest` did not give, or its `failure`, and where the object is left out
 */
export function checkDefinition(
  prepared: PreparedRequest,
  object: KubernetesObject | null,
): CheckedObject {
  requirePrepared('checkDefinition', prepared);
  requireObject('checkDefinition', object);
  const { cluster, attributes } = prepared;
  const { kind, operation, oldObject, subresource } = attributes;
  const isStored =
    (operation === 'CREATE' && subresource === '') ||
    (operation === 'UPDATE' && (subresource === '' || subresource === 'status'));
  const { storeCustomResource, schemas } = cluster;
  if (storeCustomResource === undefined || object === null || !isStored) return { object };
  const warnings = new Set<string>();
  const warn = (text: string): void => void warnings.add(text);
  const stored = storeCustomResource({ kind, object, oldObject, subresource, warn }, schemas);
  if (stored === undefined) return { object };
  const checked = { object: stored.object, denial: stored.refusal };
  return warnings.size === 0 ? checked : { ...checked, warnings: [...warnings] };
}
