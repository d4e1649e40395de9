import { qualifiedNameProblems } from '@kubeadmit/apimachinery/names';

/** Whether a resource is one of Kubernetes (core/helper `IsNativeResource`). */
export function isNativeResource(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/');
}

/** Whether a resource is neither native nor named as in a quota (core/helper `IsExtendedResourceName`). */
export function isExtendedResource(name: string): boolean {
  if (isNativeResource(name) || name.startsWith('requests.')) return false;
  return qualifiedNameProblems(`requests.${name}`).length === 0;
}

/** Whether a resource is memory in huge pages of one size (core/helper `IsHugePageResourceName`). */
export function isHugePages(name: string): boolean {
  return name.startsWith('hugepages-');
}
