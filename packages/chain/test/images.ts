import type { ImageVerifier } from '@kubeadmit/kyverno';

const error = { error: 'no image is verified here' };

/** Verifies no image, so that policies about images are loaded and deny. */
export const images: ImageVerifier = {
  verifySignature: () => error,
  fetchAttestations: () => error,
  verifyCosign: () => error,
  fetchAttested: () => error,
  referrerOf: () => error,
  digestOf: () => error,
};
