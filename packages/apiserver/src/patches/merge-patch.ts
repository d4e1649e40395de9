import { isPlainObject, setKey } from '@kubeadmit/base';
import { compareText } from '@kubeadmit/go';

/** Applies a JSON merge patch (RFC 7386); neither argument is changed. Maps that it goes through are sorted, as Go's are. */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  if (!isPlainObject(patch)) return patch;
  const result: Record<string, unknown> = isPlainObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else {
      const own = Object.hasOwn(result, name) ? result[name] : undefined;
      setKey(result as never, name, applyMergePatch(own, value) as never);
    }
  }
  return Object.fromEntries(Object.entries(result).sort(([a], [b]) => compareText(a, b)));
}
