import { type JsonObject, type KubernetesObject, member } from '@kubeadmit/apimachinery';
import { parseJson } from '@kubeadmit/cel';
import type { GeneratorRule } from '@kubeadmit/chain/kyverno-background';
import { deepEqual, stringifyJson } from '@kubeadmit/go';
import type { Json } from '@kubeadmit/mutator';
import type { ServedResource } from '../cluster/discovery.ts';
import { withMetadata } from './object-writer.ts';
import { deletedWithPolicyLabel } from './owner.ts';

const ofServer: JsonObject = {
  uid: undefined,
  resourceVersion: undefined,
  generation: undefined,
  creationTimestamp: undefined,
  managedFields: undefined,
  selfLink: undefined,
};

/**
 * Returns an object in the form to store: without the fields of the server, in a namespace if its kind has them, and
 * with a label if it is deleted together with its policy.
 */
export function desiredObject(
  object: JsonObject,
  { isNamespaced }: ServedResource,
  { isSynchronized, outlivesPolicy }: GeneratorRule,
): KubernetesObject {
  const metadata = member(object, 'metadata') as JsonObject | undefined;
  const labels = { ...(member(metadata, 'labels') as JsonObject | undefined) };
  if (isSynchronized && !outlivesPolicy) labels[deletedWithPolicyLabel] = 'true';
  const namespace = isNamespaced ? member(metadata, 'namespace') || 'default' : undefined;
  const desired = withMetadata(object, { ...ofServer, labels, namespace });
  // Generated numbers have other types than numbers that were read.
  return parseJson(stringifyJson(desired)) as KubernetesObject;
}

/** Whether an object is stored as desired, apart from the fields of the server. */
export function isAsDesired(stored: KubernetesObject, desired: KubernetesObject): boolean {
  return deepEqual(comparable(stored), comparable(desired));
}

function comparable(object: KubernetesObject): Json {
  const { status: _, ...rest } = withMetadata(object as JsonObject, ofServer);
  return rest as Json;
}
