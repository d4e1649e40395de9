import { type GroupName, metadataString, type Status } from '@kubeadmit/apimachinery';
import { forbiddenStatus } from '@kubeadmit/apimachinery/status';
import type { RequestAttributes } from '@kubeadmit/engine';
import { hasNoMetadata } from '@kubeadmit/engine/unstable-internal';

const codes: Readonly<Record<string, number>> = {
  Unauthorized: 401,
  Forbidden: 403,
  RequestEntityTooLarge: 413,
};

/** The resource and the name by which a denial speaks of a request (apiserver admission/errors.go). */
export function requestSubject(request: RequestAttributes): {
  readonly resource: GroupName;
  readonly name: string;
} {
  const resource = { group: request.resource.group, name: request.resource.resource };
  if (request.name !== '') return { resource, name: request.name };
  if (request.object === null) return { resource, name: 'Unknown' };
  if (hasNoMetadata(request.kind)) return { resource, name: 'Unknown/errorGettingName' };
  const name =
    metadataString(request.object, 'name') || metadataString(request.object, 'generateName');
  return { resource, name: name || 'Unknown' };
}

/**
 * Returns the Status of a denial by a validating policy.
 *
 * Only the first denial is reported, with the code of its reason (apiserver policy/validating/dispatcher.go).
 */
export function validatingDenial(
  request: RequestAttributes,
  message: string,
  reason: string,
): Status {
  const { resource, name } = requestSubject(request);
  const forbidden = forbiddenStatus(resource, name, message);
  return {
    ...forbidden,
    reason,
    details: { ...forbidden.details, causes: [{ message }] },
    code: codes[reason] ?? 422,
  };
}

/** An error of a mutating policy that its failure policy does not ignore. */
export interface MutatingError {
  readonly message: string;
  /** `Invalid` for errors of expressions and patches; unset for errors of configuration. */
  readonly reason?: string;
}

/**
 * The Status of a denial by mutating policies: the message and reason of the first error, and a cause
 * for each; always 403 (apiserver policy/generic/policy_dispatcher.go).
 */
export function mutatingDenial(
  request: RequestAttributes,
  errors: readonly MutatingError[],
): Status {
  const { resource, name } = requestSubject(request);
  const forbidden = forbiddenStatus(resource, name, '');
  const first = errors[0];
  const causes = errors.map(({ message }) => (message === '' ? {} : { message }));
  return {
    ...forbidden,
    message: first?.message ?? '',
    reason: first?.reason ?? 'Forbidden',
    details: { ...forbidden.details, causes },
  };
}

/** The text of a denial without the subject that kube-apiserver's plugins put before it. */
export function denialText({ message = '', details }: Status): string {
  const { name = '', group = '', kind = '' } = details ?? {};
  const subject = forbiddenStatus({ group, name: kind }, name, '').message ?? '';
  return message.startsWith(subject) ? message.slice(subject.length) : message;
}
