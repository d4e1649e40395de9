import type { JsonObject } from '@kubeadmit/apimachinery';
import { objectOf } from '@kubeadmit/apimachinery/internal';

interface Names {
  readonly title: string;
  readonly name: string;
  readonly namespace: string | undefined;
}

/** Policies of admission have no namespace, so that the name of a Policy begins with its own. */
export function namesOf(policy: JsonObject): Names {
  const metadata = objectOf(policy['metadata']);
  const name = String(metadata['name'] ?? '');
  const isPlaced = policy['kind'] === 'Policy' || String(policy['kind']).startsWith('Namespaced');
  if (!isPlaced) return { title: name, name, namespace: undefined };
  const namespace = String(metadata['namespace'] ?? 'default');
  return { title: `${namespace}/${name}`, name: boundedName(`${namespace}-${name}`), namespace };
}

const longestName = 253;

/** A text as a name that Kubernetes takes for a policy. */
export function boundedName(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9.-]+/g, '-')
    .slice(0, longestName)
    .replace(/^[^a-z0-9]+|[^a-z0-9]+$/g, '');
}
