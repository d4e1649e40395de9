import {
  isObject,
  type JsonObject,
  type KubernetesObject,
  listOf,
  objectOf,
} from '@kubeadmit/apimachinery';

const nameLabel = 'kubernetes.io/metadata.name';
const labelOfName = /^(?:[\w.-]+\/)?[\w.-]+$/;

/**
 * Namespaces that the selectors of policies match, one for each selector, so that requests can be in them. A selector
 * of names alone needs none, and one with wildcards gets its parts without them.
 */
export function selectedNamespaces(
  policies: readonly JsonObject[],
  given: readonly JsonObject[],
): readonly KubernetesObject[] {
  const names = new Set(
    given.flatMap(({ kind, metadata }) =>
      kind === 'Namespace' && isObject(metadata) ? [String(metadata['name'])] : [],
    ),
  );
  const found = new Map<string, JsonObject>();
  for (const selector of policies.flatMap(selectorsIn)) {
    const labels = labelsOf(selector);
    if (Object.keys(labels).length > 0) found.set(JSON.stringify(labels), labels);
  }
  return [...found.values()].flatMap((labels, at) => {
    const name = `selected-${at + 1}`;
    if (names.has(name)) return [];
    const metadata = { name, labels: { ...labels, [nameLabel]: name } };
    return [{ apiVersion: 'v1', kind: 'Namespace', metadata } as KubernetesObject];
  });
}

function selectorsIn(value: unknown): readonly JsonObject[] {
  if (Array.isArray(value)) return value.flatMap(selectorsIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    key === 'namespaceSelector' && isObject(item) ? [item] : selectorsIn(item),
  );
}

// Labels with which the selector chooses; those that it does not want are left out.
function labelsOf({ matchLabels, matchExpressions }: JsonObject): JsonObject {
  const labels: Record<string, unknown> = {};
  const expressions = Array.isArray(matchExpressions) ? matchExpressions.filter(isObject) : [];
  for (const { key, operator, values } of expressions) {
    const [first] = listOf(values);
    if (operator === 'In' && first !== undefined) labels[plain(key)] = plain(first);
    if (operator === 'Exists') labels[plain(key)] = 'given';
  }
  for (const [key, value] of Object.entries(objectOf(matchLabels))) {
    labels[plain(key)] = plain(value);
  }
  return Object.fromEntries(
    Object.entries(labels).filter(([key]) => key !== nameLabel && labelOfName.test(key)),
  );
}

function plain(text: unknown): string {
  return String(text).replace(/[*?]/g, 'a');
}
