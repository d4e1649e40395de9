import { type JsonObject, member, memberObject, parseGroupVersion } from '@kubeadmit/apimachinery';
import { getOrMake, setKey } from '@kubeadmit/base';
import { Double } from '@kubeadmit/cel';
import { jsonOf } from '@kubeadmit/chain/kyverno';
import { identityOf } from '@kubeadmit/chain/kyverno-resources';
import { isRecord, type ReadDocument } from '@kubeadmit/manifest';
import { listResources, type Schemas } from '@kubeadmit/schemas';
import { TestProblem } from './test-reader.ts';

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
 *
 * @throws TestProblem for an object without apiVersion or kind.
 */
export function resourcesOf(
  documents: readonly ReadDocument[],
  schemas: Schemas,
): readonly JsonObject[] {
  return documents.flatMap(({ value, origin }) => {
    if (!isRecord(value)) return [];
    requireKind(value, origin.source.name);
    return [inNamespace(tidied(value as JsonObject), schemas)];
  });
}

function requireKind(value: object, file: string): void {
  const missing = ['apiVersion', 'kind'].find((field) => {
    const given = member(value, field);
    return typeof given !== 'string' || given === '';
  });
  if (missing === undefined) return;
  throw new TestProblem(`${file}: no Kubernetes object: \`${missing}\` is missing`);
}

function inNamespace(object: JsonObject, schemas: Schemas): JsonObject {
  const { apiVersion, kind, namespace } = identityOf(object);
  if (namespace !== '') return object;
  if (isOfCluster(apiVersion, kind, schemas)) return object;
  return { ...object, metadata: { ...memberObject(object, 'metadata'), namespace: 'default' } };
}

/** Which kinds, behind their groups, lie in no namespace. */
const clusterKinds = new WeakMap<Schemas, ReadonlySet<string>>();

/** Whether objects of a kind lie in no namespace, in whichever version of its group. */
function isOfCluster(apiVersion: string, kind: string, schemas: Schemas): boolean {
  const known = getOrMake(clusterKinds, schemas, () => listClusterKinds(schemas));
  return known.has(`${parseGroupVersion(apiVersion)?.group}/${kind}`);
}

function listClusterKinds(schemas: Schemas): ReadonlySet<string> {
  // If a kind is served twice, the first resource counts.
  const namespaced = new Map<string, boolean>();
  for (const { group, kind, namespaced: isNamespaced } of listResources(schemas)) {
    const key = `${group}/${kind}`;
    if (!namespaced.has(key)) namespaced.set(key, isNamespaced);
  }
  return new Set([...namespaced.keys()].filter((key) => namespaced.get(key) === false));
}

/**
 * An object with doubles for all numbers and empty maps for nulls; itself where it has nothing to change, since
 * a copy of every resource takes as long as reading it.
 */
function tidied(object: JsonObject): JsonObject {
  let copy: JsonObject | undefined;
  for (const key in object) {
    const item = object[key];
    const changed = item === null && mapFields.has(key) ? {} : tidiedItem(item, tidied);
    if (changed === item) continue;
    copy ??= { ...object };
    setKey(copy, key, changed);
  }
  return copy ?? object;
}

/** Maps of lists that are in lists keep their nulls. */
function tidiedItem(item: unknown, ofMap: (object: JsonObject) => unknown): unknown {
  if (typeof item === 'bigint') return Number(item);
  if (typeof item !== 'object' || item === null) return item;
  if (!Array.isArray(item)) return item instanceof Double ? item.value : ofMap(item as JsonObject);
  const list = item.map((one) => tidiedItem(one, Array.isArray(one) ? jsonOf : ofMap));
  return list.some((one, at) => one !== item[at]) ? list : item;
}
