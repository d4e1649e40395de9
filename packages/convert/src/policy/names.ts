import { isObject, type JsonObject, objectOf } from '@kubeadmit/apimachinery';

interface Names {
  /** `NAME`, or `NAMESPACE/NAME`. */
  readonly title: string;
  /** A name that Kubernetes takes. */
  readonly name: string;
  /** Undefined for a policy of the whole cluster. */
  readonly namespace: string | undefined;
}

/**
 * The name of a policy in reports, and the name of its result. Admission policies have no namespace, so the name of a
 * namespaced policy begins with its namespace; without a namespace, that is `default`.
 */
export function namesOf(policy: JsonObject): Names {
  const metadata = objectOf(policy['metadata']);
  const name = String(metadata['name'] ?? '');
  const kind = String(policy['kind']);
  const isPlaced = /^(?:Cleanup)?Policy$|^Namespaced/.test(kind);
  if (!isPlaced) return { title: name, name, namespace: undefined };
  const namespace = String(metadata['namespace'] ?? 'default');
  return { title: `${namespace}/${name}`, name: boundedName(`${namespace}-${name}`), namespace };
}

/** The name of a result in reports: `Kind/name`. */
export function titleOf({ kind, metadata }: JsonObject): string {
  return `${String(kind)}/${isObject(metadata) ? String(metadata['name']) : ''}`;
}

const longestName = 253;

/** A text as a name that Kubernetes takes for a policy: in lower case, at most 253 characters, `-` for all others. */
export function boundedName(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9.-]+/g, '-')
    .slice(0, longestName)
    .replace(/^[^a-z0-9]+|[^a-z0-9]+$/g, '');
}
