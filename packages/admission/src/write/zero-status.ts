import {
  formatGroupVersion,
  type GroupVersionKind,
  type KubernetesObject,
  member,
} from '@kubeadmit/apimachinery';
import { getOrMake } from '@kubeadmit/base';
import { decode, type Schemas } from '@kubeadmit/schemas';
import { plainJson } from './plain-json.ts';

const known = new WeakMap<Schemas['types'], Map<string, unknown>>();

/** The status of a new object of a built-in kind; undefined where the server writes none. */
export function zeroStatus(schemas: Schemas, kind: GroupVersionKind): unknown {
  const statuses = getOrMake(known, schemas.types, () => new Map<string, unknown>());
  const apiVersion = formatGroupVersion(kind);
  const key = `${apiVersion} ${kind.kind}`;
  if (!statuses.has(key)) {
    const empty: KubernetesObject = { apiVersion, kind: kind.kind, metadata: {} };
    const { object } = decode(schemas, empty, { kind });
    statuses.set(key, plainJson(member(object, 'status')));
  }
  return statuses.get(key);
}
