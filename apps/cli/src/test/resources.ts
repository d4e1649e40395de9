import { isRecord, type ReadDocument } from '@kubeadmit/manifest';
import { listResources, parseGroupVersion, type Schemas } from '@kubeadmit/schemas';
import { identityOf } from '../kyverno/identity.ts';
import { type JsonObject, jsonOf } from '../kyverno/json.ts';

/** Fields of Kubernetes that are maps; a null there is an empty map. */
const mapFields = new Set([
  'annotations',
  'labels',
  'matchLabels',
  'nodeSelector',
  'data',
  'stringData',
]);

/**
 * The resources of documents as the Kyverno CLI reads them: in the namespace `default` where they name
 * none and are not of the cluster, with empty maps for nulls.
 */
export function resourcesOf(
  documents: readonly ReadDocument[],
  schemas: Schemas,
): readonly JsonObject[] {
  return documents.flatMap(({ value }) => {
    if (!isRecord(value)) return [];
    const object = jsonOf(value);
    fillMaps(object);
    return [inNamespace(object, schemas)];
  });
}

function inNamespace(object: JsonObject, schemas: Schemas): JsonObject {
  const { apiVersion, kind, namespace } = identityOf(object);
  if (namespace !== '') return object;
  if (isOfCluster(apiVersion, kind, schemas)) return object;
  const metadata = object['metadata'];
  const known = typeof metadata === 'object' && metadata !== null ? metadata : {};
  return { ...object, metadata: { ...known, namespace: 'default' } };
}

/** Which kinds, behind their groups, lie in no namespace. */
const clusterKinds = new WeakMap<Schemas, ReadonlySet<string>>();

/** Whether objects of a kind lie in no namespace, in whichever version of its group. */
function isOfCluster(apiVersion: string, kind: string, schemas: Schemas): boolean {
  let known = clusterKinds.get(schemas);
  if (known === undefined) {
    known = listClusterKinds(schemas);
    clusterKinds.set(schemas, known);
  }
  return known.has(`${parseGroupVersion(apiVersion)?.group}/${kind}`);
}

function listClusterKinds(schemas: Schemas): ReadonlySet<string> {
  // A kind that is served twice is as it is served first.
  const namespaced = new Map<string, boolean>();
  for (const { group, kind, namespaced: isNamespaced } of listResources(schemas)) {
    const key = `${group}/${kind}`;
    if (!namespaced.has(key)) namespaced.set(key, isNamespaced);
  }
  return new Set([...namespaced.keys()].filter((key) => namespaced.get(key) === false));
}

function fillMaps(object: JsonObject): void {
  for (const key of Object.keys(object)) {
    const value = object[key];
    if (value === null && mapFields.has(key)) object[key] = {};
    if (Array.isArray(value)) {
      for (const item of value) if (isMap(item)) fillMaps(item);
    } else if (isMap(value)) fillMaps(value);
  }
}

function isMap(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
