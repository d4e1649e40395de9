// Requests of manifests.
export {
  type AdmissionRequest,
  createRequest,
  guessPlural,
  type Requester,
  reviewRequest,
} from './requests/requests.ts';
