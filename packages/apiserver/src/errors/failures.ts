import type { FieldError, GroupName } from '@kubeadmit/apimachinery';
import {
  alreadyExistsStatus,
  applyConflictStatus,
  badRequestStatus,
  conflictStatus,
  expiredStatus,
  failureStatus,
  forbiddenStatus,
  generateNameConflictStatus,
  internalErrorStatus,
  invalidStatus,
  methodNotSupportedStatus,
  notFoundStatus,
  requestEntityTooLargeStatus,
  type StatusCause,
} from '@kubeadmit/apimachinery/status';
import { ApiError } from './api-error.ts';

/** 400 (apimachinery errors.NewBadRequest). */
export function badRequest(message: string): ApiError {
  return new ApiError(badRequestStatus(message));
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
  return new ApiError(failureStatus(404, message, { reason: 'NotFound', details: {} }));
}

/** 405 (apimachinery errors.NewGenericServerResponse). */
export function methodNotAllowed(): ApiError {
  const message = 'the server does not allow this method on the requested resource';
  return new ApiError(failureStatus(405, message, { reason: 'MethodNotAllowed', details: {} }));
}

/** 405 of a verb that a resource does not have (apimachinery errors.NewMethodNotSupported). */
export function methodNotSupported(resource: GroupName, action: string): ApiError {
  return new ApiError(methodNotSupportedStatus(resource, action));
}

/** 406 of an object that has no such form (handlers.newNotAcceptableError). */
export function notAcceptable(message: string): ApiError {
  return new ApiError(failureStatus(406, message, { reason: 'NotAcceptable' }));
}

/** 406 in the words of the framework (negotiation.NewNotAcceptableError). */
export function notAccepted(accepted: readonly string[]): ApiError {
  return notAcceptable(`only the following media types are accepted: ${accepted.join(', ')}`);
}

/** 406 in the words of the router (go-restful), which has built-in kinds only. */
export function notRepresentable(available: readonly string[]): ApiError {
  const message = `406: Not Acceptable\n\nAvailable representations: ${available.join(', ')}`;
  return new ApiError(failureStatus(406, message, { reason: 'NotAcceptable', details: {} }));
}

/** 409 of a name that is taken (apimachinery errors.NewAlreadyExists). */
export function alreadyExists(resource: GroupName, name: string): ApiError {
  return new ApiError(alreadyExistsStatus(resource, name));
}

/** 409 of a name that is taken by an object that is being deleted (registry `Store.Create`). */
export function beingDeleted(resource: GroupName, name: string): ApiError {
  const status = alreadyExistsStatus(resource, name);
  return new ApiError({ ...status, message: `object is being deleted: ${status.message}` });
}

/** 409 of a generated name, again and again (registry/rest.CheckGeneratedNameError). */
export function noNameGenerated(resource: GroupName, name: string): ApiError {
  return new ApiError(generateNameConflictStatus(resource, name, 1));
}

/** 409 of an object that is not as the client thought (apimachinery errors.NewConflict). */
export function conflict(resource: GroupName, name: string, text: string): ApiError {
  return new ApiError(conflictStatus(resource, name, text));
}

/** The text of a {@link conflict} of versions (registry `OptimisticLockErrorMsg`). */
export const modifiedText: string =
  'the object has been modified; please apply your changes to the latest version and try again';

/** 409 of fields that others own (apimachinery errors.NewApplyConflict). */
export function applyConflict(
  causes: readonly Pick<StatusCause, 'message' | 'field'>[],
  message: string,
): ApiError {
  const named = causes.map((cause) => ({ reason: 'FieldManagerConflict', ...cause }));
  return new ApiError(applyConflictStatus(named, message));
}

/** 410 of a version that is too old (apimachinery errors.NewResourceExpired). */
export function expired(message: string, continueToken?: string): ApiError {
  return new ApiError(expiredStatus(message), continueToken);
}

/** 413 (apimachinery errors.NewRequestEntityTooLargeError). */
export function entityTooLarge(text: string): ApiError {
  return new ApiError(requestEntityTooLargeStatus(text));
}

/** 415 in the words of the framework (negotiation.NewUnsupportedMediaTypeError). */
export function unsupportedMediaType(accepted: readonly string[]): ApiError {
  const types = accepted.join(', ');
  const message = `the body of the request was in an unknown format - accepted media types include: ${types}`;
  return new ApiError(failureStatus(415, message, { reason: 'UnsupportedMediaType' }));
}

/** 415 in the words of the router (go-restful), which has built-in kinds only. */
export function unsupportedByRouter(): ApiError {
  const options = { reason: 'UnsupportedMediaType', details: {} };
  return new ApiError(failureStatus(415, '415: Unsupported Media Type', options));
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
  return new ApiError(failureStatus(422, message, { reason: 'Invalid', details: {} }));
}

/** 500 with its reason (apimachinery errors.NewInternalError). */
export function internalError(text: string): ApiError {
  return new ApiError(internalErrorStatus(text));
}

/** Creates the 500 of an error without a Status (responsewriters.ErrorToAPIStatus). */
export function plainFailure(message: string): ApiError {
  return new ApiError(failureStatus(500, message));
}

/** 503 (apimachinery errors.NewServiceUnavailable). */
export function serviceUnavailable(message: string): ApiError {
  return new ApiError(failureStatus(503, message, { reason: 'ServiceUnavailable' }));
}

/** 504 of a version that is not there yet (storage.NewTooLargeResourceVersionError). */
export function versionTooLarge(wanted: number, current: number): ApiError {
  const message = `Timeout: Too large resource version: ${wanted}, current: ${current}`;
  const causes = [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }];
  const details = { causes, retryAfterSeconds: 1 };
  return new ApiError(failureStatus(504, message, { reason: 'Timeout', details }));
}
