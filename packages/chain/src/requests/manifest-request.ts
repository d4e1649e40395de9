import type { InputProblem, Manifest } from '@kubeadmit/manifest';
import { makeRequest, type RequestSettings } from './make-request.ts';
import { isReview, type ReadReview, readReview } from './review.ts';

/**
 * Returns the request that a manifest contains, if it is an AdmissionReview, or the request that creates, updates or
 * deletes its object.
 *
 * @param number creates the uid of the request.
 */
export function requestOfManifest(
  manifest: Manifest,
  number: number,
  settings: RequestSettings,
): ReadReview {
  if (isReview(manifest)) return readReview(manifest, number, settings);
  const made = makeRequest(manifest, number, settings);
  if ('request' in made) return made;
  const problems: readonly InputProblem[] = [manifest.problem([], made.problem)];
  return { problems };
}
