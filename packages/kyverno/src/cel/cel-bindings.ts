import {
  type GroupVersionKind,
  isObject,
  type JsonObject,
  memberObject,
} from '@kubeadmit/apimachinery';
import { lazily } from '@kubeadmit/base';
import type { ObserveEvaluation, RequestAttributes, UserInfo } from '@kubeadmit/engine';
import {
  type Bindings,
  namespaceValue,
  PolicyCompilers,
  requestValue,
} from '@kubeadmit/engine/unstable-internal';
import { field, stringField } from '../fields/fields.ts';
import { objectKindOf } from '../match/subject.ts';
import type { PolicyRequest } from '../rule/request.ts';
import { toCelValue } from './cel-value.ts';
import { kubernetesMinor } from './kubernetes-minor.ts';
import { orValueLibrary } from './or-value.ts';

const sharedCompilers = lazily(() => new PolicyCompilers(kubernetesMinor, [orValueLibrary]));

/**
 * Returns the compilers for the CEL expressions of rules; environments are shared by all of them.
 *
 * @param observe receives every evaluation; these compilers are not shared.
 */
export function celCompilers(observe?: ObserveEvaluation): PolicyCompilers {
  return observe
    ? new PolicyCompilers(kubernetesMinor, [orValueLibrary], observe)
    : sharedCompilers();
}

/** The kind that a request is about. */
export function kindOfRequest({ object, oldObject, request }: PolicyRequest): GroupVersionKind {
  return request.facts.kind ?? objectKindOf(object ?? oldObject ?? {});
}

/** The objects that CEL expressions see; undefined for none. */
export interface CelObjects {
  readonly object: JsonObject | undefined;
  readonly oldObject: JsonObject | undefined;
}

/** The variables of CEL expressions for a request about some objects, the first there being the one named. */
export function celBindings(
  state: PolicyRequest,
  { object, oldObject }: CelObjects,
  subresource: string,
): Bindings {
  const kind = kindOfRequest(state);
  const metadata = memberObject(object ?? oldObject, 'metadata');
  const isNamespace = kind.kind === 'Namespace' && kind.version === 'v1' && kind.group === '';
  const namespace = isNamespace ? '' : stringField(metadata, 'namespace');
  // Kyverno's CLI does not know the resource.
  const resource = state.request.webhook?.resource ?? { group: '', version: '', resource: '' };
  const attributes: RequestAttributes = {
    kind,
    resource,
    subresource,
    name: stringField(metadata, 'name'),
    namespace,
    operation: state.operation,
    user: userOf(state.request.userVariables),
    object: null,
    oldObject: null,
    dryRun: false,
    options: null,
  };
  return {
    object: toCelValue(object ?? null),
    oldObject: toCelValue(oldObject ?? null),
    request: requestValue(attributes, { kind, resource }),
    namespaceObject: namespace === '' ? null : namespaceValue(namespaceOf(state, namespace)),
    params: null,
  };
}

// Without a cluster Kyverno gives expressions the name of the namespace and nothing else.
function namespaceOf({ request }: PolicyRequest, name: string): JsonObject {
  return (request.isCluster && request.facts.namespace) || { metadata: { name } };
}

function userOf(variables: JsonObject | undefined): UserInfo {
  const info = variables === undefined ? undefined : field(variables, 'userInfo');
  return isObject(info) ? (info as UserInfo) : {};
}
