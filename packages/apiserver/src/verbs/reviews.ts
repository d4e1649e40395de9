import {
  type FieldError,
  type KubernetesObject,
  member,
  memberList,
  memberObject,
  memberText,
  memberTexts,
} from '@kubeadmit/apimachinery';
import { invalid } from '@kubeadmit/apimachinery/field-errors';
import type { AuthorizerAttributes, UserInfo } from '@kubeadmit/engine';
import { admitUnstored } from '../admission/admission-chain.ts';
import { authorizerUser } from '../authorization/authorizer-user.ts';
import { rulesOf } from '../authorization/user-rules.ts';
import { badRequest, invalidObject, methodNotAllowed, notAccepted } from '../errors/failures.ts';
import type { ApiResponse } from '../http/response.ts';
import type { Endpoint } from '../kinds/endpoint.ts';
import type { ResourceExchange } from '../machinery/machinery.ts';
import { timeNow, withMember, withMetadata } from '../objects/metadata.ts';
import { readWriteOptions } from '../options/write-options.ts';
import { decodeRequest, tracked } from './decode-request.ts';
import { objectResponse } from './response.ts';

type Handler = (exchange: ResourceExchange) => Promise<ApiResponse>;

/** Returns the handler of a review, which is never stored; `undefined` for other resources. */
export function reviewHandler({ name }: Endpoint): Handler | undefined {
  const status = statuses[`${name.name}.${name.group}`];
  return status && ((exchange) => review(exchange, status));
}

type Status = (
  exchange: ResourceExchange,
  object: KubernetesObject,
) => KubernetesObject | Promise<KubernetesObject>;

async function review(exchange: ResourceExchange, status: Status): Promise<ApiResponse> {
  const { endpoint, request } = exchange;
  // Reviews have neither tables nor partial metadata.
  if (exchange.negotiated.form !== undefined) {
    throw notAccepted([
      'application/json',
      'application/yaml',
      'application/vnd.kubernetes.protobuf',
    ]);
  }
  const options = readWriteOptions(request.query, 'CreateOptions');
  const decoded = await decodeRequest(exchange, options);
  const object = tracked(exchange, options, {}, decoded);
  const mutated = await admitUnstored(exchange, object, { name: '', options });
  const isRules = endpoint.kind.kind === 'SelfSubjectRulesReview';
  const shown = isRules ? { ...decoded, spec: {} } : mutated;
  const reviewed = withMember(shown, 'status', await status(exchange, mutated));
  // The only review that is created like other objects.
  const isDated = endpoint.kind.kind === 'SelfSubjectReview';
  const { clock } = exchange.machinery.options;
  const answered = isDated
    ? withMetadata(reviewed, { creationTimestamp: timeNow(clock) })
    : reviewed;
  return objectResponse(201, answered, exchange.negotiated);
}

const statuses: Readonly<Record<string, Status>> = {
  'selfsubjectaccessreviews.authorization.k8s.io': (exchange, object) =>
    accessStatus(exchange, object, exchange.request.user),
  'subjectaccessreviews.authorization.k8s.io': (exchange, object) =>
    accessStatus(exchange, object, subjectOf(object)),
  'localsubjectaccessreviews.authorization.k8s.io': (exchange, object) => {
    const namespace = member(member(member(object, 'spec'), 'resourceAttributes'), 'namespace');
    if (namespace !== exchange.info.namespace) {
      const why = 'must match metadata.namespace';
      const error = invalid('spec.resourceAttributes.namespace', namespace, why);
      throw invalidObject({ group: exchange.endpoint.kind.group, name: '' }, '', [error]);
    }
    return accessStatus(exchange, object, subjectOf(object));
  },
  'selfsubjectrulesreviews.authorization.k8s.io': ({ machinery, request }, object) => {
    const namespace = String(member(member(object, 'spec'), 'namespace') ?? '');
    if (namespace === '') throw badRequest('no namespace on request');
    return rulesOf(machinery, request.user, namespace);
  },
  'selfsubjectreviews.authentication.k8s.io': ({ request }) => {
    const { username, uid, groups, extra } = request.user;
    return {
      userInfo: {
        ...(username ? { username } : {}),
        ...(uid ? { uid } : {}),
        ...(groups?.length ? { groups } : {}),
        ...(extra && Object.keys(extra).length > 0 ? { extra } : {}),
      },
    };
  },
  'tokenreviews.authentication.k8s.io': async ({ machinery }, object) => {
    const { tokenReviewer } = machinery.options;
    if (!member(member(object, 'spec'), 'token')) {
      throw badRequest('token is required for TokenReview in authentication');
    }
    if (tokenReviewer === undefined) throw methodNotAllowed();
    return tokenReviewer.review((member(object, 'spec') ?? {}) as KubernetesObject);
  },
};

function subjectOf(object: KubernetesObject): UserInfo {
  const spec = member(object, 'spec');
  return {
    username: memberText(spec, 'user'),
    groups: memberTexts(spec, 'groups'),
    uid: memberText(spec, 'uid'),
    extra: memberObject(spec, 'extra') as Readonly<Record<string, readonly string[]>>,
  };
}

function accessStatus(
  { machinery, endpoint }: ResourceExchange,
  object: KubernetesObject,
  user: UserInfo,
): KubernetesObject {
  const spec = member(object, 'spec');
  checkReview(endpoint, spec, user);
  const attributes = reviewAttributes(spec, user);
  const { decision, reason, error } = machinery.cluster.authorizer.authorize(attributes);
  return {
    allowed: decision === 'allow',
    ...(decision === 'deny' ? { denied: true } : {}),
    ...(reason === '' ? {} : { reason: decision === 'allow' ? reason : `rbac: ${reason}` }),
    ...(error === undefined || error === '' ? {} : { evaluationError: error }),
  };
}

// kubernetes authorization/validation, whose Status names no kind
function checkReview({ kind, name }: Endpoint, spec: unknown, user: UserInfo): void {
  const resource = member(spec, 'resourceAttributes');
  const path = member(spec, 'nonResourceAttributes');
  const isSelf = name.name === 'selfsubjectaccessreviews';
  const errors: FieldError[] = [];
  const why = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
  if ((resource === undefined) === (path === undefined)) {
    const shown =
      path === undefined
        ? null
        : { Path: member(path, 'path') ?? '', Verb: member(path, 'verb') ?? '' };
    errors.push(invalid(isSelf ? 'spec' : 'spec.resourceAttributes', shown, why));
  }
  for (const name of ['fieldSelector', 'labelSelector']) {
    const selector = member(resource, name);
    if (selector) errors.push(...selectorErrors(selector, `spec.resourceAttributes.${name}`));
  }
  if (!user.username && !user.groups?.length && !isSelf) {
    errors.push(invalid('spec.user', '', 'at least one of user or group must be specified'));
  }
  if (errors.length > 0) throw invalidObject({ group: kind.group, name: '' }, '', errors);
}

function selectorErrors(selector: unknown, at: string): FieldError[] {
  const raw = memberText(selector, 'rawSelector');
  if (raw === '' || memberList(selector, 'requirements').length === 0) return [];
  return [invalid(`${at}.rawSelector`, raw, 'may not specified at the same time as requirements')];
}

function reviewAttributes(spec: unknown, user: UserInfo): AuthorizerAttributes {
  const resource = member(spec, 'resourceAttributes');
  const own = resource ?? member(spec, 'nonResourceAttributes');
  const text = (name: string): string => memberText(own, name);
  const asked = authorizerUser(user);
  if (resource === undefined) {
    return { kind: 'path', user: asked, verb: text('verb'), path: text('path') };
  }
  return {
    kind: 'resource',
    user: asked,
    verb: text('verb'),
    group: text('group'),
    resource: text('resource'),
    subresource: text('subresource'),
    namespace: text('namespace'),
    name: text('name'),
  };
}
