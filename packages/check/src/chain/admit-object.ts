import {
  isObject,
  type KubernetesObject,
  kindOfObject,
  metadataString,
} from '@kubeadmit/apimachinery';
import type { Manifest } from '@kubeadmit/manifest';
import { makeRequest } from '../requests/requests.ts';
import { type RequestUser, userInfo } from '../requests/user.ts';
import type { Chain } from './chain.ts';
import { failedPassage, type Passage, passRequest } from './pass-request.ts';

/** What is done with an object, by whom. */
export interface ObjectRequest {
  /** What is done; default CREATE, and UPDATE where there is an old object. */
  readonly operation?: 'CREATE' | 'UPDATE' | 'DELETE' | undefined;
  /** What the object was before an update. */
  readonly oldObject?: KubernetesObject | undefined;
  /** Who asks; default the administrator, `kubernetes-admin`. */
  readonly user?: RequestUser | undefined;
  /** The namespace of an object that names none; default `default`. */
  readonly namespace?: string | undefined;
}

/**
 * What becomes of an object: the request that kube-apiserver would make of it goes through a chain.
 *
 * Never throws for what the object says: an object of no kind, and an update without an old object, are a `failure`.
 *
 * @throws TypeError when the chain or the object is something else, such as the promise of one.
 */
export function admitObject(
  chain: Chain,
  object: KubernetesObject,
  { operation, oldObject, user, namespace = 'default' }: ObjectRequest = {},
): Passage {
  if (!isObject(chain) || !isObject(chain['cluster'])) {
    throw new TypeError('admitObject takes a chain (`await prepareChain({ … })` makes one)');
  }
  if (!isObject(object) || object instanceof Promise) {
    throw new TypeError('admitObject takes an object of Kubernetes');
  }
  const kind = kindOfObject(object);
  if (kind === undefined) return failedPassage('the object has no `apiVersion` and `kind`');
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
  return 'problem' in made ? failedPassage(made.problem) : passRequest(chain, made.request);
}
