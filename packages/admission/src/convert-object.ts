import {
  formatGroupVersion,
  type GroupVersionKind,
  groupVersionKindOf,
  type KubernetesObject,
  member,
  type Status,
  sameKind,
  textOf,
} from '@kubeadmit/apimachinery';
import { internalErrorStatus } from '@kubeadmit/apimachinery/status';
import type { RequestAttributes } from '@kubeadmit/engine';
import { convertVersion, type Schemas } from '@kubeadmit/schemas';
import { structOf } from '@kubeadmit/schemas/types';
import { convertBack } from '@kubeadmit/schemas/unstable-internal';
import { convertEvent, isEvent } from './write/convert-event.ts';

/**
 * Returns an object in another version of its kind, or a text that says why not.
 *
 * Custom resources change nothing but their `apiVersion`, as with the conversion strategy None.
 */
export function convertObject(
  schemas: Schemas,
  object: KubernetesObject,
  to: GroupVersionKind,
): KubernetesObject | string {
  const from = kindOf(object);
  if (sameKind(from, to)) return object;
  if (structOf(schemas, to) === undefined)
    return { ...object, apiVersion: formatGroupVersion(to), kind: to.kind };
  if (isEvent(from) && isEvent(to)) return convertBuiltin(schemas, convertEvent(object, to), to);
  if (from.kind !== to.kind || from.group !== to.group) {
    const group = from.group === '' ? 'core' : (from.group.split('.')[0] ?? '');
    return `converting (${group}.${from.kind}) to (${to.version}.${to.kind}): unknown conversion`;
  }
  return convertBuiltin(schemas, object, to);
}

/** A mutated object in the version of its request, or why it cannot be converted to that. */
export type ConvertedBack =
  | { readonly object: KubernetesObject; readonly status?: undefined }
  | { readonly status: Status };

/**
 * Returns a mutated object in the form of its request: the server writes the result of policies over its internal form.
 */
export function toRequestForm(
  schemas: Schemas,
  { object: before, kind }: RequestAttributes,
  mutated: KubernetesObject,
): ConvertedBack {
  const apiVersion = formatGroupVersion(kind);
  const named = mutated['apiVersion'] === apiVersion ? mutated : { ...mutated, apiVersion };
  const { object, error } = convertBack(schemas, named, before ?? {});
  return object === undefined
    ? { status: internalErrorStatus(`failed to convert object: ${error}`) }
    : { object: object as KubernetesObject };
}

/** Returns the kind that an object declares. */
export function kindOf(object: KubernetesObject): GroupVersionKind {
  const apiVersion = member(object, 'apiVersion');
  const kind = member(object, 'kind');
  return groupVersionKindOf(textOf(apiVersion), textOf(kind));
}

function convertBuiltin(
  schemas: Schemas,
  object: KubernetesObject,
  to: GroupVersionKind,
): KubernetesObject | string {
  const { object: converted, error } = convertVersion(schemas, object, to);
  return (converted as KubernetesObject | undefined) ?? error ?? '';
}
