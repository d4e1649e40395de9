import type { ImageReference } from '@kubeadmit/kyverno/images';
import { readManifest } from './manifests.ts';
import { digestOf, type Manifest, type Registry, RegistryError } from './registry.ts';

/** An image of a registry. */
interface RegistryImage {
  readonly registry: Registry;
  readonly reference: ImageReference;
  readonly manifest: Manifest;
}

/**
 * Returns the JSON content of the first artifact of a type that refers to an image (Kyverno's `FetchReferrerData`).
 *
 * @throws RegistryError if there is none, or it has several layers or other content
 */
export function referrerContent(
  { registry, reference, manifest }: RegistryImage,
  artifactType: string,
): unknown {
  const found = registry
    .referrers(reference, manifest.digest)
    .find((each) => each.artifactType === artifactType);
  if (found === undefined) throw new RegistryError(`artifact of type ${artifactType} not found`);
  const artifact = registry.manifest(digestOf(reference, found.digest));
  const layers = artifact === undefined ? [] : readManifest(artifact).layers;
  const [layer] = layers;
  if (layer === undefined || layers.length > 1) {
    throw new RegistryError('invalid referrer descriptor, must have only one layer');
  }
  const bytes = registry.blob(reference, layer);
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    throw new RegistryError(`the artifact ${found.digest} is not valid JSON`);
  }
}
