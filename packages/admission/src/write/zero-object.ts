import {
  formatGroupVersion,
  formatGroupVersionKind,
  type GroupVersionKind,
  type KubernetesObject,
  member,
} from '@kubeadmit/apimachinery';
import { getOrMake } from '@kubeadmit/base';
import { convertVersion, decode, type Schemas } from '@kubeadmit/schemas';
import { isDefinition } from '@kubeadmit/schemas/definitions';
import { decodeApiService } from '@kubeadmit/schemas/unstable-internal';
import { isApiService } from './decode-manifest.ts';
import { withMetadata } from './metadata.ts';
import { plainJson } from './plain-json.ts';

/**
 * Returns an object of a kind without any set field, as Go's types encode it. A created object is compared with it to
 * find the fields that its creator set.
 */
export function zeroObject(schemas: Schemas, kind: GroupVersionKind): KubernetesObject {
  const known = getOrMake(made, schemas, () => new Map<string, KubernetesObject>());
  return getOrMake(known, formatGroupVersionKind(kind), () => makeZero(schemas, kind));
}

const made: WeakMap<Schemas, Map<string, KubernetesObject>> = new WeakMap();

function makeZero(schemas: Schemas, kind: GroupVersionKind): KubernetesObject {
  const head = { apiVersion: formatGroupVersion(kind), kind: kind.kind };
  if (isDefinition(head)) return { ...head, ...zeroDefinition };
  if (isApiService(head)) {
    const read = decodeApiService(schemas, head);
    return 'error' in read ? head : (plainJson(read.object) as KubernetesObject);
  }
  const { object } = convertVersion(schemas, head, kind);
  const zero = plainJson(object ?? head) as KubernetesObject;
  return kind.kind === 'DaemonSet' ? withMetadata(zero, { annotations: undefined }) : zero;
}

const zeroDefinition = {
  spec: { group: '', names: { plural: '', kind: '' }, scope: '', versions: null },
  status: { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: null },
};

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
