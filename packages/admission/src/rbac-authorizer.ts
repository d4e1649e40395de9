import {
  type KubernetesObject,
  labelsOf,
  member,
  memberList,
  metadataString,
} from '@kubeadmit/apimachinery';
import { type Expected, requireArgument } from '@kubeadmit/base';
import type { Authorizer, AuthorizerAttributes, AuthorizerDecision } from '@kubeadmit/engine';
import { compareText } from '@kubeadmit/go';
import { requireObjects } from './arguments.ts';
import { ChangingPermissions } from './changing-permissions.ts';
import { aggregationOf } from './rbac-objects.ts';

const attributesOfCheck: Expected = { what: 'attributes with a `user`', has: 'user' };

/**
 * Decides from Roles, ClusterRoles and their bindings, as kube-apiserver's RBAC authorizer does;
 * members of `system:masters` may do everything.
 *
 * Bindings count in the order of their names. ClusterRoles with an `aggregationRule` have the rules
 * of the ClusterRoles that it selects, as the controller would fill them in.
 */
export class RbacAuthorizer implements Authorizer {
  readonly #permissions: ChangingPermissions = new ChangingPermissions();

  /** @throws TypeError if `objects` is not a list of objects */
  constructor(objects: readonly KubernetesObject[]) {
    requireObjects('new RbacAuthorizer', 'objects', objects);
    const clusterRoles = objects.filter((object) => member(object, 'kind') === 'ClusterRole');
    for (const object of objects) {
      this.#permissions.change(undefined, withAggregatedRules(object, clusterRoles));
    }
  }

  /** Decides about one request. */
  authorize(request: AuthorizerAttributes): AuthorizerDecision {
    requireArgument('authorize', request, attributesOfCheck);
    return this.#permissions.authorize(request);
  }
}

function withAggregatedRules(
  role: KubernetesObject,
  clusterRoles: readonly KubernetesObject[],
): KubernetesObject {
  const selectors = member(role, 'kind') === 'ClusterRole' ? aggregationOf(role) : undefined;
  if (selectors === undefined) return role;
  const rules = clusterRoles
    .filter((other) => other !== role)
    .filter((other) => selectors.some((selector) => selector.matches(labelsOf(other))))
    .sort((a, b) => compareText(metadataString(a, 'name'), metadataString(b, 'name')))
    .flatMap((other) => memberList(other, 'rules'));
  return { ...role, rules };
}
