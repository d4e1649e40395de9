import { quote } from '@kubeadmit/go';
import { formatAggregate } from '../errors/aggregate.ts';
import { type FieldError, formatFieldError } from '../errors/field-error.ts';
import { formatGroupName, type GroupName } from '../group-version/group-name.ts';
import {
  failureStatus,
  type Status,
  type StatusCause,
  type StatusDetails,
  statusDetails,
} from './status.ts';

function detailsOf({ group, name: kind }: GroupName, name: string): StatusDetails {
  return statusDetails({ name, group, kind });
}

function subjectText(subject: GroupName, name: string): string {
  return `${formatGroupName(subject)} ${quote(name)}`;
}

/** 400: a request is none that the server understands (apimachinery errors.NewBadRequest). */
export function badRequestStatus(message: string): Status {
  return failureStatus(400, message, { reason: 'BadRequest' });
}

/** 401: nobody knows who asks (apimachinery errors.NewUnauthorized). */
export function unauthorizedStatus(message: string): Status {
  return failureStatus(401, message === '' ? 'not authorized' : message, {
    reason: 'Unauthorized',
  });
}

/** 403: a request is refused (apimachinery errors.NewForbidden). */
export function forbiddenStatus(resource: GroupName, name: string, text: string): Status {
  let message = `${subjectText(resource, name)} is forbidden: ${text}`;
  if (resource.group === '' && resource.name === '') message = `forbidden: ${text}`;
  else if (name === '') message = `${formatGroupName(resource)} is forbidden: ${text}`;
  return failureStatus(403, message, { reason: 'Forbidden', details: detailsOf(resource, name) });
}

/** 404: an object does not exist (apimachinery errors.NewNotFound). */
export function notFoundStatus(resource: GroupName, name: string): Status {
  const message = `${subjectText(resource, name)} not found`;
  return failureStatus(404, message, { reason: 'NotFound', details: detailsOf(resource, name) });
}

/** 405: a resource does not have a verb (apimachinery errors.NewMethodNotSupported). */
export function methodNotSupportedStatus(resource: GroupName, action: string): Status {
  const kind = quote(formatGroupName(resource));
  const message = `${action} is not supported on resources of kind ${kind}`;
  return failureStatus(405, message, {
    reason: 'MethodNotAllowed',
    details: detailsOf(resource, ''),
  });
}

/** 409: a name is taken (apimachinery errors.NewAlreadyExists). */
export function alreadyExistsStatus(resource: GroupName, name: string): Status {
  const message = `${subjectText(resource, name)} already exists`;
  return failureStatus(409, message, {
    reason: 'AlreadyExists',
    details: detailsOf(resource, name),
  });
}

/** 409: generated names are taken again and again (apimachinery errors.NewGenerateNameConflict). */
export function generateNameConflictStatus(
  resource: GroupName,
  name: string,
  retryAfterSeconds: number,
): Status {
  const message = `${subjectText(resource, name)} already exists, the server was not able to generate a unique name for the object`;
  return failureStatus(409, message, {
    reason: 'AlreadyExists',
    details: statusDetails({ ...detailsOf(resource, name), retryAfterSeconds }),
  });
}

/** 409: an object is not as the client thought (apimachinery errors.NewConflict). */
export function conflictStatus(resource: GroupName, name: string, text: string): Status {
  const message = `Operation cannot be fulfilled on ${subjectText(resource, name)}: ${text}`;
  return failureStatus(409, message, { reason: 'Conflict', details: detailsOf(resource, name) });
}

/** 409: fields that are applied belong to others (apimachinery errors.NewApplyConflict). */
export function applyConflictStatus(causes: readonly StatusCause[], message: string): Status {
  return failureStatus(409, message, { reason: 'Conflict', details: statusDetails({ causes }) });
}

/** 410: what was there is gone for good (apimachinery errors.NewGone). */
export function goneStatus(message: string): Status {
  return failureStatus(410, message, { reason: 'Gone' });
}

/** 410: a version is too old (apimachinery errors.NewResourceExpired). */
export function expiredStatus(message: string): Status {
  return failureStatus(410, message, { reason: 'Expired' });
}

/** 413: a request is too large (apimachinery errors.NewRequestEntityTooLargeError). */
export function requestEntityTooLargeStatus(text: string): Status {
  const message = `Request entity too large: ${text}`;
  return failureStatus(413, message, { reason: 'RequestEntityTooLarge' });
}

/** 422: an object is invalid (apimachinery errors.NewInvalid). */
export function invalidStatus(
  kind: GroupName,
  name: string,
  errors: readonly FieldError[],
): Status {
  const text = formatAggregate(errors.map(formatFieldError));
  const head = `${subjectText(kind, name)} is invalid`;
  const causes = errors.map(({ type, body, field }) => ({ reason: type, message: body, field }));
  return failureStatus(422, text === '' ? head : `${head}: ${text}`, {
    reason: 'Invalid',
    details: statusDetails({ ...detailsOf(kind, name), causes }),
  });
}

/** 429: the client asks too much (apimachinery errors.NewTooManyRequests). */
export function tooManyRequestsStatus(message: string, retryAfterSeconds: number): Status {
  return failureStatus(429, message, {
    reason: 'TooManyRequests',
    details: statusDetails({ retryAfterSeconds }),
  });
}

/** 500: something failed inside (apimachinery errors.NewInternalError). */
export function internalErrorStatus(text: string): Status {
  return failureStatus(500, `Internal error occurred: ${text}`, {
    reason: 'InternalError',
    details: { causes: [{ message: text }] },
  });
}

/** 500: the server could not do it in time, and the client may ask again (apimachinery errors.NewServerTimeout). */
export function serverTimeoutStatus(
  resource: GroupName,
  operation: string,
  retryAfterSeconds: number,
): Status {
  const message = `The ${operation} operation against ${formatGroupName(resource)} could not be completed at this time, please try again.`;
  return failureStatus(500, message, {
    reason: 'ServerTimeout',
    details: statusDetails({ ...detailsOf(resource, operation), retryAfterSeconds }),
  });
}

/** 503: something is not available now (apimachinery errors.NewServiceUnavailable). */
export function serviceUnavailableStatus(message: string): Status {
  return failureStatus(503, message, { reason: 'ServiceUnavailable' });
}

/** 504: something took too long (apimachinery errors.NewTimeoutError). */
export function timeoutStatus(text: string, retryAfterSeconds: number): Status {
  return failureStatus(504, `Timeout: ${text}`, {
    reason: 'Timeout',
    details: statusDetails({ retryAfterSeconds }),
  });
}
