import { type JsonObject, metadataString } from '@kubeadmit/apimachinery';
import type { AdmissionRequest } from '@kubeadmit/engine';
import { findResourceOfKind, type Schemas } from '@kubeadmit/schemas';

/**
 * Returns why the server refuses to create an object without a name, before any validating policy. Reviews are not
 * stored and need none, and the definition of a custom resource is checked with the object.
 */
export function missingName(
  { operation, subResource = '', kind, object }: AdmissionRequest,
  schemas: Schemas,
): string | undefined {
  if (operation !== 'CREATE' || subResource !== '' || kind === undefined) return undefined;
  const { group = '', version = '', kind: name = '' } = kind;
  const resource = findResourceOfKind(schemas, { group, version, kind: name });
  if (resource === undefined || resource.definition !== undefined) return undefined;
  if (!resource.verbs.includes('get')) return undefined;
  const given = object as JsonObject;
  if (['name', 'generateName'].some((field) => metadataString(given, field) !== '')) {
    return undefined;
  }
  const qualified = group === '' ? name : `${name}.${group}`;
  return `${qualified} "" is invalid: metadata.name: Required value: name or generateName is required`;
}
