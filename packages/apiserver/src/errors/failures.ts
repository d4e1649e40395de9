import {
  type FieldError,
  forbiddenStatus,
  type GroupName,
  internalErrorStatus,
  invalidStatus,
  notFoundStatus,
  statusDetails,
} from '@kubeadmit/engine';
import { quote } from '@kubeadmit/go';
import { ApiError } from './api-error.ts';

function failure(code: number, reason: string, message: string, details?: object): ApiError {
  return new ApiError({
    metadata: {},
    status: 'Failure',
    message,
    ...(reason === '' ? {} : { reason }),
    ...(details === undefined ? {} : { details }),
    code,
  });
}

function resourceText({ group, name }: GroupName): string {
  return group === '' ? name : `${name}.${group}`;
}

function detailsOf({ group, name: kind }: GroupName, name: string): object {
  return statusDetails({ name, group, kind });
}

/** 400 (apimachinery errors.NewBadRequest). */
export function badRequest(message: string): ApiError {
  return failure(400, 'BadRequest', message);
}

/** 403 (apimachinery errors.NewForbidden). */
export function forbiddenError(resource: GroupName, name: string, text: string): ApiError {
  return new ApiError(forbiddenStatus(resource, name, text));
}

/** 404 of an object (apimachinery errors.NewNotFound). */
export function notFound(resource: GroupName, name: string): ApiError {
  return new ApiError(notFoundStatus(resource, name));
}

/** 404 of a resource that is not served (apimachinery errors.NewGenericServerResponse). */
export function resourceNotFound(): ApiError {
  const message = 'the server could not find the requested resource';
  return failure(404, 'NotFound', message, {});
}

/** 405 (apimachinery errors.NewGenericServerResponse). */
export function methodNotAllowed(): ApiError {
  const message = 'the server does not allow this method on the requested resource';
  return failure(405, 'MethodNotAllowed', message, {});
}

/** 405 of a verb that a resource does not have (apimachinery errors.NewMethodNotSupported). */
export function methodNotSupported(resource: GroupName, action: string): ApiError {
  const message = `${action} is not supported on resources of kind "${resourceText(resource)}"`;
  return failure(405, 'MethodNotAllowed', message, detailsOf(resource, ''));
}

/** 406 in the words of the framework (negotiation.NewNotAcceptableError). */
export function notAcceptable(accepted: readonly string[]): ApiError {
  const message = `only the following media types are accepted: ${accepted.join(', ')}`;
  return failure(406, 'NotAcceptable', message);
}

/** 406 in the words of the router (go-restful), which has built-in kinds only. */
export function notRepresentable(available: readonly string[]): ApiError {
  const message = `406: Not Acceptable\n\nAvailable representations: ${available.join(', ')}`;
  return failure(406, 'NotAcceptable', message, {});
}

/** 409 of a name that is taken (apimachinery errors.NewAlreadyExists). */
export function alreadyExists(resource: GroupName, name: string): ApiError {
  const message = `${resourceText(resource)} ${quote(name)} already exists`;
  return failure(409, 'AlreadyExists', message, detailsOf(resource, name));
}

/** 409 of a name that is taken by an object that is being deleted (registry `Store.Create`). */
export function beingDeleted(resource: GroupName, name: string): ApiError {
  const message = `object is being deleted: ${resourceText(resource)} ${quote(name)} already exists`;
  return failure(409, 'AlreadyExists', message, detailsOf(resource, name));
}

/** 409 of a generated name, again and again (registry/rest.CheckGeneratedNameError). */
export function noNameGenerated(resource: GroupName, name: string): ApiError {
  const message = `${resourceText(resource)} ${quote(name)} already exists, the server was not able to generate a unique name for the object`;
  return failure(409, 'AlreadyExists', message, {
    ...detailsOf(resource, name),
    retryAfterSeconds: 1,
  });
}

/** 409 of an object that is not as the client thought (apimachinery errors.NewConflict). */
export function conflict(resource: GroupName, name: string, text: string): ApiError {
  const message = `Operation cannot be fulfilled on ${resourceText(resource)} ${quote(name)}: ${text}`;
  return failure(409, 'Conflict', message, detailsOf(resource, name));
}

/** The text of a {@link conflict} of versions (registry `OptimisticLockErrorMsg`). */
export const modifiedText: string =
  'the object has been modified; please apply your changes to the latest version and try again';

/** 409 of fields that others own (apimachinery errors.NewApplyConflict). */
export function applyConflict(
  causes: readonly { readonly message: string; readonly field: string }[],
  message: string,
): ApiError {
  return failure(409, 'Conflict', message, {
    causes: causes.map((cause) => ({ reason: 'FieldManagerConflict', ...cause })),
  });
}

/** 410 of a version that is too old (apimachinery errors.NewResourceExpired). */
export function expired(message: string, continueToken?: string): ApiError {
  const { status } = failure(410, 'Expired', message);
  return new ApiError(status, continueToken);
}

/** 413 (apimachinery errors.NewRequestEntityTooLargeError). */
export function entityTooLarge(text: string): ApiError {
  const message = `Request entity too large: ${text}`;
  return failure(413, 'RequestEntityTooLarge', message);
}

/** 415 in the words of the framework (negotiation.NewUnsupportedMediaTypeError). */
export function unsupportedMediaType(accepted: readonly string[]): ApiError {
  const types = accepted.join(', ');
  const message = `the body of the request was in an unknown format - accepted media types include: ${types}`;
  return failure(415, 'UnsupportedMediaType', message);
}

/** 415 in the words of the router (go-restful), which has built-in kinds only. */
export function unsupportedByRouter(): ApiError {
  return failure(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});
}

/** 422 of an object with its findings (apimachinery errors.NewInvalid). */
export function invalidObject(
  kind: GroupName,
  name: string,
  errors: readonly FieldError[],
): ApiError {
  return new ApiError(invalidStatus(kind, name, errors));
}

/** 422 of a JSON patch whose operations fail (apimachinery errors.NewGenericServerResponse). */
export function unprocessable(): ApiError {
  const message = 'the server rejected our request due to an error in our request';
  return failure(422, 'Invalid', message, {});
}

/** 500 with its reason (apimachinery errors.NewInternalError). */
export function internalError(text: string): ApiError {
  return new ApiError(internalErrorStatus(text));
}

/** 500 of an error that is no Status (responsewriters.ErrorToAPIStatus). */
export function plainFailure(message: string): ApiError {
  return failure(500, '', message);
}

/** 504 of a version that is not there yet (storage.NewTooLargeResourceVersionError). */
export function versionTooLarge(wanted: number, current: number): ApiError {
  const message = `Timeout: Too large resource version: ${wanted}, current: ${current}`;
  return failure(504, 'Timeout', message, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });
}
