import { type GroupVersion, parseGroupVersion } from '@kubeadmit/apimachinery';

/** The group and version of an `apiVersion`; one with too many slashes is a version that nobody has. */
export function groupVersionOf(apiVersion: string): GroupVersion {
  return parseGroupVersion(apiVersion) ?? { group: '', version: apiVersion };
}
