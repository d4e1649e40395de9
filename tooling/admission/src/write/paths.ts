import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { metadataOf, type WriteRequest } from './write-request.ts';

/** The path of a collection, or of one object in it. */
export function pathOf(
  { group, version, resource }: WriteRequest['resource'],
  namespace: string | undefined,
  name?: string,
  subresource?: string,
): string {
  const base = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const parts = [base, ...(namespace === undefined ? [] : ['namespaces', namespace]), resource];
  return [
    ...parts,
    ...(name === undefined ? [] : [name]),
    ...(subresource === undefined ? [] : [subresource]),
  ].join('/');
}

/** The path of an object's collection. */
export function collectionOf(object: KubernetesObject): string {
  const [group, version] = String(object['apiVersion']).includes('/')
    ? String(object['apiVersion']).split('/')
    : ['', String(object['apiVersion'])];
  const resource = pluralOf(String(object['kind']));
  return pathOf(
    { group: group ?? '', version: version ?? '', resource },
    metadataOf(object).namespace,
  );
}

export function objectPath(object: KubernetesObject): string {
  return `${collectionOf(object)}/${metadataOf(object).name}`;
}

function pluralOf(kind: string): string {
  const lower = kind.toLowerCase();
  if (lower.endsWith('y')) return `${lower.slice(0, -1)}ies`;
  return lower.endsWith('s') ? `${lower}es` : `${lower}s`;
}
