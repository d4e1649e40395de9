import { isObject, type KubernetesObject, objectOf } from '@kubeadmit/apimachinery';
import type { ApiClient, ClientAnswer } from '@kubeadmit/apiserver';

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
// kube-apiserver's limit for all annotations of an object.
const annotationBytes = 262_144;
const serverSide = 'fieldManager=kubectl&force=true&fieldValidation=Strict';
const query = 'fieldManager=kubectl-client-side-apply&fieldValidation=Strict';

/** Where an object is in the API. */
export interface ObjectPlace {
  /** Path of the collection. */
  readonly collection: string;
  readonly name: string;
}

/**
 * Applies an object to a cluster like `kubectl apply`.
 *
 * It records the applied configuration in an annotation, removes fields that were in the last one and are no longer
 * in this one, and keeps fields that others have set.
 */
export async function applyManifest(
  client: ApiClient,
  { collection, name }: ObjectPlace,
  manifest: KubernetesObject,
): Promise<ClientAnswer> {
  const path = `${collection}/${encodeURIComponent(name)}`;
  const configured = withLastApplied(manifest);
  if (annotationLength(configured) > annotationBytes) {
    const contentType = 'application/apply-patch+yaml';
    return client.ask({
      method: 'PATCH',
      path: `${path}?${serverSide}`,
      contentType,
      body: manifest,
    });
  }
  const found = await client.ask({ method: 'GET', path });
  if (found.status === 404) {
    return client.ask({ method: 'POST', path: `${collection}?${query}`, body: configured });
  }
  if (found.status !== 200) return found;
  const before = annotationsOf(found.object)[lastApplied];
  const removed = before === undefined ? {} : removedFields(JSON.parse(before), manifest);
  return client.ask({
    method: 'PATCH',
    path: `${path}?${query}`,
    contentType: 'application/merge-patch+json',
    body: merged(removed, configured),
  });
}

function withLastApplied(manifest: KubernetesObject): KubernetesObject {
  const metadata = objectOf(manifest['metadata']);
  const { [lastApplied]: _, ...annotations } = annotationsOf(manifest);
  const plain = { ...manifest, metadata: { ...metadata, annotations } };
  const text = `${JSON.stringify(plain)}\n`;
  return {
    ...plain,
    metadata: { ...metadata, annotations: { ...annotations, [lastApplied]: text } },
  };
}

function annotationLength(object: KubernetesObject): number {
  const texts = Object.entries(annotationsOf(object)).flat();
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

/** A merge patch that removes the fields that only the old configuration has. */
function removedFields(before: unknown, now: unknown): KubernetesObject {
  const removed: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(objectOf(before))) {
    const kept = objectOf(now);
    if (!Object.hasOwn(kept, key)) removed[key] = null;
    else if (isObject(value) && isObject(kept[key])) {
      const inner = removedFields(value, kept[key]);
      if (Object.keys(inner).length > 0) removed[key] = inner;
    }
  }
  return removed;
}

function merged(base: KubernetesObject, over: KubernetesObject): KubernetesObject {
  const result: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const inner = result[key];
    result[key] = isObject(inner) && isObject(value) ? merged(inner, value) : value;
  }
  return result;
}

function annotationsOf(object: KubernetesObject): Readonly<Record<string, string>> {
  return objectOf(objectOf(object['metadata'])['annotations']) as Readonly<Record<string, string>>;
}
