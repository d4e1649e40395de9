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

/** Whether objects of a kind lie in no namespace, in whichever version of its group. */
function isOfCluster(apiVersion: string, kind: string, schemas: Schemas): boolean {
  const group = parseGroupVersion(apiVersion)?.group;
  const known = listResources(schemas).find((one) => one.kind === kind && one.group === group);
  return known !== undefined && !known.namespaced;
}

function fillMaps(object: JsonObject): void {
  for (const [key, value] of Object.entries(object)) {
    if (value === null && mapFields.has(key)) object[key] = {};
    for (const item of Array.isArray(value) ? value : [value]) {
      if (typeof item === 'object' && item !== null && !Array.isArray(item)) fillMaps(item);
    }
  }
}
