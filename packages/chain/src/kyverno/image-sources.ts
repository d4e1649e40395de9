import type { CelSources, ContextSources, ImageVerifier } from '@kubeadmit/kyverno';

/** Returns the data sources of rules and expressions about images; none without a verifier. */
export function imageSources(images: ImageVerifier | undefined): ContextSources & CelSources {
  return {
    ...(images?.dataOf && { imageData: images.dataOf }),
    ...(images?.metadataOf && { imageRegistry: images.metadataOf }),
    ...(images && { images }),
  };
}
