import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { parseJson } from '@kubeadmit/cel';
import { asNative, ownGroup } from './policy-groups.ts';
import { objectName } from './read-resources.ts';
import type { Problem, SourceText } from './snapshot.ts';

/** The objects of a cluster that are used. */
export interface ClusterObjects {
  /** By group, kind, namespace and name. */
  readonly resources: ReadonlyMap<string, KubernetesObject>;
  /** The same as the cluster has them: those of our own group are of that. */
  readonly given: readonly KubernetesObject[];
  /** The reasons why objects are ignored. */
  readonly problems: readonly Problem[];
}

/**
 * Reads the objects of a cluster, and uses each policy once.
 *
 * A file takes precedence over the cluster, and our group over the native one, which the server itself evaluates.
 */
export function readClusterObjects(
  texts: readonly SourceText[],
  given: ReadonlySet<string>,
): ClusterObjects {
  const resources = new Map<string, KubernetesObject>();
  const own = new Map<string, string>();
  const problems: Problem[] = [];
  const objects = texts.map(({ name, text }) => ({
    name,
    object: parseJson(text) as KubernetesObject,
  }));
  for (const { name, object } of objects) {
    if (isOwn(object)) own.set(objectName(object), name);
  }
  for (const { name, object } of objects) {
    const title = objectName(object);
    const isPolicy = clusterWidePolicy.test(title);
    const other = isPolicy && !isOwn(object) ? own.get(title) : undefined;
    if (isPolicy && (other !== undefined || given.has(title))) {
      problems.push({
        place: name,
        message: `skipped: ${title} is also in ${other ?? 'a file'}`,
      });
    } else resources.set(name, asNative(object));
  }
  return { resources, given: objects.map(({ object }) => object), problems };
}

// Of several namespaces, policies of the same name are different ones.
const clusterWidePolicy = /AdmissionPolicy|^(?:Cluster|Validating|Mutating)Policy\//;

function isOwn({ apiVersion }: KubernetesObject): boolean {
  return String(apiVersion).startsWith(`${ownGroup}/`);
}
