import { compareText } from '@kubeadmit/go';
import type { PodFieldError } from './finding.ts';
import type { Pod } from './pod.ts';

/** Quotes texts and joins them with commas, without escapes (`joinQuote`). */
export function quoteAll(texts: readonly string[]): string {
  return texts.length === 0 ? '' : `"${texts.join('", "')}"`;
}

/** Returns the singular or the plural of a noun. */
export function plural(singular: string, count: number, many = `${singular}s`): string {
  return count === 1 ? singular : many;
}

/** Returns texts in order, each once. */
export function sortedSet(texts: Iterable<string>): readonly string[] {
  return [...new Set(texts)].sort(compareText);
}

/** Returns the distinct values of field errors in order. */
export function valuesOf(errors: readonly PodFieldError[]): readonly string[] {
  return sortedSet(
    errors.flatMap(({ value = '' }) => (typeof value === 'object' ? value : [String(value)])),
  );
}

/** Returns the names of the containers that have one of some errors, in the order of the pod. */
export function containersWith(
  { containers }: Pod,
  errors: readonly PodFieldError[],
): readonly string[] {
  return containers
    .filter(({ path }) => errors.some(({ field }) => field.startsWith(`${path}.`)))
    .map(({ container }) => container.name ?? '');
}

/** Names containers: `container "a"` or `containers "a", "b"`. */
export function nameContainers(names: readonly string[]): string {
  return `${plural('container', names.length)} ${quoteAll(names)}`;
}

/** Names the containers that have one of some errors. */
export function nameContainersWith(pod: Pod, errors: readonly PodFieldError[]): string {
  return nameContainers(containersWith(pod, errors));
}

/** Names the pod and the containers whose security contexts have one of some errors. */
export function nameSetters(pod: Pod, errors: readonly PodFieldError[]): readonly string[] {
  const isOfPod = errors.some(({ field }) => field.startsWith('spec.securityContext.'));
  const containers = containersWith(pod, errors);
  return [
    ...(isOfPod ? ['pod'] : []),
    ...(containers.length > 0 ? [nameContainers(containers)] : []),
  ];
}
