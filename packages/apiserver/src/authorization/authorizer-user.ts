import type { AuthorizerDecision, AuthorizerUser, UserInfo } from '@kubeadmit/engine';
import type { Exchange } from '../machinery/machinery.ts';

/** A user as authorizers see him. */
export function authorizerUser({ username = '', uid, groups, extra }: UserInfo): AuthorizerUser {
  return {
    username,
    ...(uid === undefined ? {} : { uid }),
    ...(groups ? { groups } : {}),
    ...(extra ? { extra } : {}),
  };
}

/** A resource that the user of a request may want to use. */
export interface WantedResource {
  readonly group: string;
  readonly resource: string;
  readonly name: string;
  readonly namespace?: string;
  readonly subresource?: string;
}

/** Asks the authorizer about the user of a request and an operation on a resource. */
export function decideOn(
  { machinery, request }: Exchange,
  verb: string,
  wanted: WantedResource,
): AuthorizerDecision {
  const user = authorizerUser(request.user);
  const asked = {
    kind: 'resource',
    user,
    verb,
    namespace: '',
    subresource: '',
    ...wanted,
  } as const;
  return machinery.cluster.authorizer.authorize(asked);
}

/** Whether the user of a request may do something with a resource. */
export function mayDo(exchange: Exchange, verb: string, wanted: WantedResource): boolean {
  return decideOn(exchange, verb, wanted).decision === 'allow';
}
