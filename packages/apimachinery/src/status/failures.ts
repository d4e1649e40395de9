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

/** Creates a Status for a request that the server does not understand: 400 (apimachinery errors.NewBadRequest). */
export function badRequestStatus(message: string): Status {
  return failureStatus(400, message, { reason: 'BadRequest' });
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

/** 500: something failed inside (apimachinery errors.NewInternalError). */
export function internalErrorStatus(text: string): Status {
  return failureStatus(500, `Internal error occurred: ${text}`, {
    reason: 'InternalError',
    details: { causes: [{ message: text }] },
  });
}

/** 503: something is not available now (apimachinery errors.NewServiceUnavailable). */
export function serviceUnavailableStatus(message: string): Status {
  return failureStatus(503, message, { reason: 'ServiceUnavailable' });
}
