import type { ImageReference } from '@kubeadmit/kyverno/images';
import { readJsonObject, readManifest } from './manifests.ts';
import { digestOf, type Manifest, type Registry, RegistryError } from './registry.ts';

/** The metadata of an image in the form that Kyverno's policies read. */
export interface ImageMetadata {
  readonly image: string;
  readonly resolvedImage: string;
  readonly registry: string;
  readonly repository: string;
  readonly identifier: string;
  readonly manifest: unknown;
  readonly manifestList?: unknown;
  readonly configData: unknown;
}

/**
 * Returns the data of an image for expressions in CEL (Kyverno's `ImageDescriptor`). Of an image for several platforms,
 * the manifest is that of linux/amd64.
 *
 * @throws RegistryError for content that cannot be used
 */
export function imageData(registry: Registry, reference: ImageReference, found: Manifest): unknown {
  const { manifestList, configData, ...metadata } = imageMetadata(registry, reference, found);
  const { tag, digest } = reference;
  const isTagged = digest === '';
  const place = `${reference.registry}/${reference.repository}`;
  return {
    ...metadata,
    resolvedImage: `${place}${isTagged ? `:${tag}` : ''}@${found.digest}`,
    ...(isTagged && { tag }),
    digest: found.digest,
    ...(manifestList !== undefined && { imageIndex: manifestList }),
    config: configData,
  };
}

/**
 * Returns the metadata of an image. Of an image for several platforms, the manifest is that of linux/amd64.
 *
 * @throws RegistryError for content that cannot be used
 */
export function imageMetadata(
  registry: Registry,
  reference: ImageReference,
  found: Manifest,
): ImageMetadata {
  const { text, tag, digest } = reference;
  const content = readManifest(found);
  const isIndex = content.manifests.length > 0;
  const manifest = isIndex ? platformManifest(registry, reference, content.json) : found;
  const { json, config } = isIndex ? readManifest(manifest) : content;
  if (config === undefined) throw new RegistryError(`manifest ${manifest.digest} has no config`);
  const configData = readJsonObject(registry.blob(reference, config), `config ${config.digest}`);
  return {
    image: text,
    resolvedImage: `${reference.registry}/${reference.repository}@${found.digest}`,
    registry: reference.registry,
    repository: reference.repository,
    identifier: digest === '' ? tag : digest,
    manifest: json,
    ...(isIndex && { manifestList: content.json }),
    configData,
  };
}

function platformManifest(
  registry: Registry,
  reference: ImageReference,
  index: Readonly<Record<string, unknown>>,
): Manifest {
  const list = (index['manifests'] ?? []) as readonly {
    readonly digest: string;
    readonly platform?: { readonly os?: string; readonly architecture?: string };
  }[];
  const chosen = list.find(
    ({ platform }) => platform?.os === 'linux' && platform.architecture === 'amd64',
  );
  const found = chosen && registry.manifest(digestOf(reference, chosen.digest));
  if (found === undefined) throw new RegistryError('the image has no manifest for linux/amd64');
  return found;
}
