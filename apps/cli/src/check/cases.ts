import type { PreparedCheck } from '@kubeadmit/check';
import { objectNamespace } from '@kubeadmit/check/internal';
import { stringifyJson } from '@kubeadmit/go/internal';
import type { InputOptions } from './options.ts';

/**
 * The requests of a check as cases of `kubeadmit machine admit -`, one line each.
 *
 * An id is the file and the object; a number tells objects apart that are called the same.
 */
export function casesOf(
  { held, requests }: PreparedCheck,
  { kubernetesVersion }: InputOptions,
): readonly string[] {
  const resources = held.map(({ object }) => object);
  const used = new Map<string, number>();
  return requests.map(({ manifest, request }) => {
    const kind = request.kind?.kind;
    const path = [objectNamespace(request), request.name ?? manifest.name]
      .filter(Boolean)
      .join('/');
    const base = `${manifest.file}: ${request.operation} ${kind} ${path}`;
    const count = (used.get(base) ?? 0) + 1;
    used.set(base, count);
    const id = count === 1 ? base : `${base} (${count})`;
    return `${stringifyJson({ id, kubernetesVersion, resources, request })}\n`;
  });
}
