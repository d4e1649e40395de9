import {
  isObject,
  type JsonObject,
  listOf,
  metadataString,
  objectOf,
} from '@kubeadmit/apimachinery';
import { stringifyJson } from '@kubeadmit/go';

/** The ConfigMap that a binding names as the parameter of its policy. */
interface ParameterName {
  readonly name: string;
  readonly namespace: string;
}

/** The ConfigMaps that the bindings among objects name. */
export function parametersOf(objects: readonly JsonObject[]): readonly ParameterName[] {
  const found = new Map<string, ParameterName>();
  for (const { spec } of objects) {
    const reference = objectOf(spec)['paramRef'];
    if (!isObject(reference) || typeof reference['name'] !== 'string') continue;
    const { name, namespace } = reference;
    const each = { name, namespace: String(namespace ?? 'default') };
    found.set(`${each.namespace}/${each.name}`, each);
  }
  return [...found.values()];
}

/** Whether an object is the ConfigMap of a name. */
export function isParameter(object: JsonObject, { name, namespace }: ParameterName): boolean {
  return (
    object['kind'] === 'ConfigMap' &&
    metadataString(object, 'name') === name &&
    (metadataString(object, 'namespace') ?? 'default') === namespace
  );
}

/**
 * A ConfigMap with every key that rules read of it, for a search where none is given. Each value is a list in JSON, which
 * Kyverno reads as a list and as text.
 */
export function assumedConfigMap(
  { name, namespace }: ParameterName,
  { old }: { readonly old: readonly JsonObject[] },
): JsonObject {
  const text = stringifyJson(old);
  const entries = contextNames(old, name).flatMap((entry) =>
    [
      ...text.matchAll(
        new RegExp(`\\b${entry}\\.data\\.\\\\?"?([\\w.-]+?)\\\\?"?(?=[^\\w.-])`, 'g'),
      ),
    ].map(([, key = '']) => [key, '["a","b"]'] as const),
  );
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace },
    data: Object.fromEntries(entries),
  };
}

// The names under which rules read a ConfigMap.
function contextNames(value: unknown, name: string): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => contextNames(item, name));
  if (!isObject(value)) return [];
  const own = listOf(value['context']).flatMap((entry) =>
    isObject(entry) && objectOf(entry['configMap'])['name'] === name ? [String(entry['name'])] : [],
  );
  return [...own, ...Object.values(value).flatMap((item) => contextNames(item, name))];
}
