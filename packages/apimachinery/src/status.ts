// Failures as kube-apiserver answers them.

export {
  alreadyExistsStatus,
  applyConflictStatus,
  badRequestStatus,
  conflictStatus,
  expiredStatus,
  forbiddenStatus,
  generateNameConflictStatus,
  internalErrorStatus,
  invalidStatus,
  methodNotSupportedStatus,
  notFoundStatus,
  requestEntityTooLargeStatus,
  serviceUnavailableStatus,
} from './status/failures.ts';
export { failureStatus, type StatusCause } from './status/status.ts';
