import {
  type GroupVersionKind,
  type KubernetesObject,
  kindOfObject,
  member,
  metadataString,
} from '@kubeadmit/apimachinery';
import {
  describeValue,
  hasMembers,
  isPlainObject,
  type OptionKind,
  requireOptions,
} from '@kubeadmit/base';
import { type Chain, type Passage, passRequest, type RequestUser } from '@kubeadmit/chain';
import { isSubresourceKind, makeRequest, requireUser, userInfo } from '@kubeadmit/chain/requests';
import { failedPassage, requireChain } from '@kubeadmit/chain/unstable-internal';
import { isBuiltinGroup, unknownKindText } from '@kubeadmit/lint/inputs';
import type { Manifest } from '@kubeadmit/manifest';
import { findResourceOfKind, type Schemas } from '@kubeadmit/schemas';

/** The operation on an object, and its user. */
export interface ObjectRequest {
  /** The operation (default: CREATE, or UPDATE if `oldObject` is given). */
  readonly operation?: 'CREATE' | 'UPDATE' | 'DELETE' | undefined;
  /** The object before an update. */
  readonly oldObject?: KubernetesObject | undefined;
  /** Who asks; default the administrator, `kubernetes-admin`. */
  readonly user?: RequestUser | undefined;
  /** The namespace of an object that names none; default `default`. */
  readonly namespace?: string | undefined;
}

const objectOptions: Readonly<Record<keyof ObjectRequest, OptionKind>> = {
  operation: ['CREATE', 'UPDATE', 'DELETE'],
  oldObject: 'object',
  user: 'object',
  namespace: 'string',
};

/**
 * Decides about an object: makes the request that kube-apiserver would make of it, and sends it through a chain.
 *
 * Never throws for the content of the object: an object without a kind or of an unknown kind, a list, and an update
 * without an old object are a `failure`.
 *
 * @throws TypeError if the chain, the object or the options are invalid, such as the promise of a chain.
 */
export function admitObject(
  chain: Chain,
  object: KubernetesObject,
  options: ObjectRequest = {},
): Passage {
  requireChain('admitObject', chain);
  if (!isPlainObject(object)) {
    throw new TypeError(
      `admitObject: expected an object of Kubernetes, got ${describeValue(object)}`,
    );
  }
  requireOptions('admitObject', options, objectOptions);
  const { operation, oldObject, user, namespace = 'default' } = options;
  if (user !== undefined) requireUser('admitObject: `user`', user);
  const kind = kindOfObject(object);
  if (kind === undefined) return failedPassage('the object has no `apiVersion` and `kind`');
  const problem = kindProblem(kind, object, chain.cluster.schemas);
  if (problem !== undefined) return failedPassage(problem);
  const subject = {
    ...kind,
    object: object as Manifest['object'],
    namespace: metadataString(object, 'namespace'),
    name: metadataString(object, 'name'),
    title: `${kind.kind}/${metadataString(object, 'name')}`,
  };
  const made = makeRequest(subject, 1, {
    user: userInfo(user ?? { name: 'kubernetes-admin' }),
    namespace,
    operation: operation ?? (oldObject === undefined ? 'CREATE' : 'UPDATE'),
    subresource: '',
    dryRun: false,
    schemas: chain.cluster.schemas,
    oldObjectOf: () => oldObject as Manifest['object'] | undefined,
  });
  return 'problem' in made
    ? failedPassage(made.problem)
    : passRequest(chain, made.request, { isOfClient: true });
}

// No policy applies to an object that a server would not create.
function kindProblem(
  kind: GroupVersionKind,
  object: KubernetesObject,
  schemas: Schemas,
): string | undefined {
  if (kind.kind === 'AdmissionReview' && hasMembers(member(object, 'request'))) {
    return 'the object is an AdmissionReview; pass its `request` to `passRequest`';
  }
  if (kind.kind.endsWith('List') && Array.isArray(member(object, 'items'))) {
    return 'the object is a list; pass its items one by one';
  }
  const isUnknown = findResourceOfKind(schemas, kind) === undefined;
  if (!isUnknown || isSubresourceKind(schemas, kind)) return undefined;
  if (!isBuiltinGroup(schemas, kind.group)) return undefined;
  return unknownKindText({ ...kind, apiVersion: String(object['apiVersion']) }, schemas);
}
