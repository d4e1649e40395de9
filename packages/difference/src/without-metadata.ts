import { isObject, type JsonObject, memberObject } from '@kubeadmit/apimachinery';

/** Returns an object without the labels or annotations whose keys match; a map that becomes empty is left out. */
export function withoutMetadata(
  object: JsonObject,
  field: 'labels' | 'annotations',
  key: RegExp,
): JsonObject {
  const { [field]: entries, ...metadata } = memberObject(object, 'metadata');
  if (!isObject(entries)) return object;
  const kept = Object.entries(entries).filter(([name]) => !key.test(name));
  const own = kept.length === 0 ? {} : { [field]: Object.fromEntries(kept) };
  return { ...object, metadata: { ...metadata, ...own } };
}
