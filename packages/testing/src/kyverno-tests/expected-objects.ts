import { type JsonObject, memberObject } from '@kubeadmit/apimachinery';
import { jsonOf } from '@kubeadmit/chain/kyverno';
import { identityOf, type ObjectIdentity, sameIdentity } from '@kubeadmit/chain/kyverno-resources';
import { deepEqual } from '@kubeadmit/go';
import type { Json } from '@kubeadmit/mutator';

/** How an object compares with the one that a file expects. */
export type Comparison =
  | { readonly outcome: 'equal' }
  | { readonly outcome: 'different'; readonly expected: JsonObject }
  /** The file has no such object. */
  | { readonly outcome: 'missing'; readonly message: string };

/** Compares an object with that of the same kind, namespace and name among those of a file. */
export function compareWith(actual: JsonObject, expected: readonly JsonObject[]): Comparison {
  const identity: ObjectIdentity = identityOf(actual);
  const found = expected.find((candidate) => sameIdentity(identityOf(candidate), identity));
  if (found === undefined) {
    const message = `resource with name ${identity.name} not found in manifest`;
    return { outcome: 'missing', message };
  }
  const equal = deepEqual(
    tidy(withTraces(jsonOf(actual))) as Json,
    tidy(withTraces(found)) as Json,
  );
  return equal ? { outcome: 'equal' } : { outcome: 'different', expected: found };
}

/** An object with the labels that Kyverno sets on generated objects, without those that vary. */
function withTraces(object: JsonObject): JsonObject {
  const metadata = memberObject(object, 'metadata');
  const kept = Object.entries(memberObject(metadata, 'labels')).filter(
    ([name]) => !name.startsWith('generate.kyverno.io/'),
  );
  const labels = Object.fromEntries([['app.kubernetes.io/managed-by', 'kyverno'], ...kept]);
  return { ...object, metadata: { ...metadata, labels } };
}

/** A value without nulls, empty maps and empty lists; undefined where nothing is left. */
function tidy(value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  if (typeof value !== 'object') return value;
  if (Array.isArray(value)) {
    const items = value.map(tidy).filter((item) => item !== undefined);
    return items.length === 0 ? undefined : items;
  }
  const members = Object.entries(value)
    .map(([key, item]) => [key, tidy(item)] as const)
    .filter(([, item]) => item !== undefined);
  return members.length === 0 ? undefined : Object.fromEntries(members);
}
