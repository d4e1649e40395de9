import { quote } from '@kubeadmit/go';
import { aggregateText, type FieldError, fieldErrorText } from './field-error.ts';

/** One cause in the details of a Status. */
export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** What a Status is about. */
export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** The answer of kube-apiserver to a request that failed (meta/v1 Status). */
export interface Status {
  readonly metadata: Readonly<Record<string, never>>;
  readonly status: 'Failure';
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code: number;
}

/** A group and a resource or kind, printed `deployments.apps`. */
export interface GroupName {
  readonly group: string;
  readonly name: string;
}

/** The text of a resource or kind with its group: `pods`, `deployments.apps`. */
function groupNameText({ group, name }: GroupName): string {
  return group === '' ? name : `${name}.${group}`;
}

/** Removes the members that Go leaves out of JSON when they are empty. */
export function statusDetails(details: StatusDetails): StatusDetails {
  return {
    ...(details.name ? { name: details.name } : {}),
    ...(details.group ? { group: details.group } : {}),
    ...(details.kind ? { kind: details.kind } : {}),
    ...(details.causes?.length ? { causes: details.causes } : {}),
    ...(details.retryAfterSeconds ? { retryAfterSeconds: details.retryAfterSeconds } : {}),
  };
}

/** 422: an object is invalid (apimachinery errors.NewInvalid). */
export function invalidStatus(
  kind: GroupName,
  name: string,
  errors: readonly FieldError[],
): Status {
  const text = aggregateText(errors.map(fieldErrorText));
  const head = `${groupNameText(kind)} ${quote(name)} is invalid`;
  const causes = errors.map(({ type, body, field }) => ({ reason: type, message: body, field }));
  return {
    metadata: {},
    status: 'Failure',
    message: text === '' ? head : `${head}: ${text}`,
    reason: 'Invalid',
    details: statusDetails({ name, group: kind.group, kind: kind.name, causes }),
    code: 422,
  };
}

/** 404: an object does not exist (apimachinery errors.NewNotFound). */
export function notFoundStatus(resource: GroupName, name: string): Status {
  return {
    metadata: {},
    status: 'Failure',
    message: `${groupNameText(resource)} ${quote(name)} not found`,
    reason: 'NotFound',
    details: statusDetails({ name, group: resource.group, kind: resource.name }),
    code: 404,
  };
}

/** 500: something failed inside (apimachinery errors.NewInternalError). */
export function internalErrorStatus(text: string): Status {
  return {
    metadata: {},
    status: 'Failure',
    message: `Internal error occurred: ${text}`,
    reason: 'InternalError',
    details: { causes: [{ message: text }] },
    code: 500,
  };
}

/** 503: something is not available now (apimachinery errors.NewServiceUnavailable). */
export function serviceUnavailableStatus(message: string): Status {
  return { metadata: {}, status: 'Failure', message, reason: 'ServiceUnavailable', code: 503 };
}

/** 403: a request is refused (apimachinery errors.NewForbidden). */
export function forbiddenStatus(resource: GroupName, name: string, text: string): Status {
  const subject = groupNameText(resource);
  let message = `${subject} ${quote(name)} is forbidden: ${text}`;
  if (resource.group === '' && resource.name === '') message = `forbidden: ${text}`;
  else if (name === '') message = `${subject} is forbidden: ${text}`;
  return {
    metadata: {},
    status: 'Failure',
    message,
    reason: 'Forbidden',
    details: statusDetails({ name, group: resource.group, kind: resource.name }),
    code: 403,
  };
}
