// Admission requests from manifests and AdmissionReviews.

// Requests
export {
  type MadeRequest,
  makeRequest,
  type RequestSettings,
  type RequestSubject,
} from './requests/make-request.ts';
export { requestOfManifest } from './requests/manifest-request.ts';
export { missingName } from './requests/missing-name.ts';
// Parts of requests
export { objectNamespace, optionsOf } from './requests/request-parts.ts';
export { isSubresourceKind, type RequestOperation } from './requests/request-target.ts';
export {
  isReview,
  type ReadReview,
  readReview,
  type UnknownField,
  unknownReviewFields,
} from './requests/review.ts';
// Users
export { requireUser, userInfo } from './requests/user.ts';
