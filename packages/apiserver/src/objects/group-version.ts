import { type GroupVersion, parseGroupVersion } from '@kubeadmit/apimachinery';
import type { Resource } from '@kubeadmit/schemas';

/** Returns the group and version of an `apiVersion`; one with too many slashes is an unknown version. */
export function groupVersionOf(apiVersion: string): GroupVersion {
  return parseGroupVersion(apiVersion) ?? { group: '', version: apiVersion };
}

/** The path of a group and version: `/api/v1`, `/apis/GROUP/VERSION`. */
export function apiPath({ group, version }: GroupVersion): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
}

/** The path of an object of a resource; the namespace does not matter where objects are in none. */
export function objectPath(resource: Resource, namespace: string, name: string): string {
  const place = resource.namespaced ? `/namespaces/${namespace}` : '';
  return `${apiPath(resource)}${place}/${resource.resource}/${encodeURIComponent(name)}`;
}
