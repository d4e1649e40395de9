import { isObject, type JsonObject, listOf, objectOf } from '@kubeadmit/apimachinery';
import { textsOf } from '@kubeadmit/difference/unstable-internal';

/** Returns objects for the generate rules of a policy to clone, one for each source with a known name. */
export function assumedSources({ spec }: JsonObject): readonly JsonObject[] {
  const rules = listOf(objectOf(spec)['rules']).filter(isObject);
  return rules.flatMap((rule) => {
    const generate = objectOf(rule['generate']);
    return [generate, ...listOf(generate['foreach']).filter(isObject)].flatMap(sourcesOf);
  });
}

function sourcesOf(pattern: JsonObject): readonly JsonObject[] {
  const { clone, cloneList, apiVersion, kind } = pattern;
  if (isObject(clone)) {
    const { name, namespace } = clone;
    return isPlain(name) ? [sourceOf({ apiVersion, kind, name, namespace })] : [];
  }
  const { kinds, namespace, selector } = objectOf(cloneList);
  const labels = objectOf(selector)['matchLabels'];
  return textsOf(kinds).map((text) => {
    const at = text.lastIndexOf('/');
    const named = { apiVersion: text.slice(0, at), kind: text.slice(at + 1), name: 'assumed' };
    return sourceOf({ ...named, namespace, labels });
  });
}

function isPlain(value: unknown): boolean {
  return typeof value === 'string' && !value.includes('{{');
}

function sourceOf({ apiVersion, kind, name, namespace, labels }: JsonObject): JsonObject {
  const isPlaced = isPlain(namespace);
  const metadata = { name, ...(isPlaced && { namespace }), ...(isObject(labels) && { labels }) };
  return { apiVersion, kind, metadata };
}
