import { isObject } from '@kubeadmit/apimachinery';

/** Whether a stored value has all of the wanted fields; a server may have added others by default. */
export function contains(stored: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(stored) &&
      stored.length === wanted.length &&
      wanted.every((item, at) => contains(stored[at], item))
    );
  }
  if (!isObject(wanted)) return String(stored) === String(wanted);
  return (
    isObject(stored) && Object.entries(wanted).every(([key, value]) => contains(stored[key], value))
  );
}
