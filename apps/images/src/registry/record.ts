import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '@kubeadmit/files';
import { type ImageReference, readImageReference } from '@kubeadmit/kyverno/images';
import { entriesOf, nameAnnotation } from './layout.ts';
import { readManifest } from './manifests.ts';
import {
  type Descriptor,
  digestOf,
  type Manifest,
  RegistryError,
  type Repository,
  repositoryName,
  tagOf,
} from './registry.ts';

/** The types of referrers whose content is recorded. */
export const signatureTypes =
  /^application\/vnd\.(?:dev\.sigstore\.bundle|dev\.cosign|cncf\.notary)/;

/** How deep the manifests of an image may be nested in indexes. */
const deepestIndex = 2;

/** How many manifests of one image are recorded. */
const mostManifests = 1000;

const indexType = 'application/vnd.oci.image.index.v1+json';

/** An entry of `index.json`. */
type RecordedEntry = Pick<Descriptor, 'mediaType' | 'digest' | 'size' | 'annotations'>;

/** The registries that images are recorded from. Content is checked against its digest. */
export interface RemoteRegistry {
  /** Returns the manifest of an image; undefined if the registry has none of this name. */
  readonly manifest: (image: ImageReference) => Promise<Manifest | undefined>;
  /** Returns a blob of a repository. */
  readonly blob: (repository: Repository, descriptor: Descriptor) => Promise<Uint8Array>;
  /** Returns the list of the manifests that refer to a digest; undefined if there is none. */
  readonly referrers: (repository: Repository, digest: string) => Promise<Manifest | undefined>;
}

/** The parts of a recorded image. */
export interface RecordedImage {
  readonly digest: string;
  /** How many signatures, attestations and referrers were found. */
  readonly signatures: number;
}

/** Records images with their signatures in an OCI layout folder. Layers of images are not recorded. */
export class ImageRecorder {
  readonly #folder: string;
  readonly #registry: RemoteRegistry;
  readonly #entries: Map<string, RecordedEntry>;

  /** @throws RegistryError for a folder with something else */
  constructor(folder: string, registry: RemoteRegistry) {
    this.#folder = folder;
    this.#registry = registry;
    this.#entries = new Map(entriesOf(folder));
    mkdirSync(join(folder, 'blobs', 'sha256'), { recursive: true });
  }

  /**
   * Records an image by its name.
   *
   * @param signatures the repository of the signatures, if it is not that of the image
   * @throws RegistryError if the image does not exist or its data cannot be used
   */
  async record(name: string, signatures?: string): Promise<RecordedImage> {
    const image = referenceOf(name);
    const manifest = await this.#registry.manifest(image);
    if (manifest === undefined) throw new RegistryError('the registry has no such image');
    this.#add(image, manifest);
    await this.#recordContent(image, manifest);
    const place = signatures === undefined ? image : referenceOf(signatures);
    const found = await this.#recordSignatures(place, manifest.digest);
    this.#writeIndex();
    return { digest: manifest.digest, signatures: found };
  }

  /** Records the configuration of an image, and the manifests of an image for several platforms. */
  async #recordContent(image: ImageReference, manifest: Manifest): Promise<void> {
    const found = [{ manifest, depth: 0 }];
    for (const { manifest: next, depth } of found) {
      const { config, manifests } = readManifest(next);
      if (config !== undefined) await this.#recordBlob(image, config);
      if (manifests.length > 0) requireLimits(depth + 1, found.length + manifests.length);
      for (const { digest } of manifests) {
        const child = await this.#registry.manifest(digestOf(image, digest));
        if (child === undefined) continue;
        this.#write(child.digest, child.bytes);
        found.push({ manifest: child, depth: depth + 1 });
      }
    }
  }

  async #recordSignatures(repository: Repository, digest: string): Promise<number> {
    let found = 0;
    for (const suffix of ['sig', 'att']) {
      const tag = tagOf(repository, `${digest.replace(':', '-')}.${suffix}`);
      const manifest = await this.#registry.manifest(tag);
      if (manifest === undefined) continue;
      this.#add(tag, manifest);
      found += await this.#recordLayers(repository, manifest);
    }
    const list = await this.#registry.referrers(repository, digest);
    if (list === undefined) return found;
    this.#add(tagOf(repository, digest.replace(':', '-')), { ...list, mediaType: indexType });
    for (const referrer of readManifest(list).manifests) {
      const manifest = await this.#registry.manifest(digestOf(repository, referrer.digest));
      if (manifest === undefined) continue;
      this.#write(manifest.digest, manifest.bytes);
      if (!signatureTypes.test(referrer.artifactType)) continue;
      found += await this.#recordLayers(repository, manifest);
    }
    return found;
  }

  async #recordLayers(repository: Repository, manifest: Manifest): Promise<number> {
    const { layers } = readManifest(manifest);
    for (const layer of layers) await this.#recordBlob(repository, layer);
    return layers.length;
  }

  async #recordBlob(repository: Repository, descriptor: Descriptor): Promise<void> {
    this.#write(descriptor.digest, await this.#registry.blob(repository, descriptor));
  }

  #add(image: ImageReference, { mediaType, digest, bytes }: Manifest): void {
    this.#write(digest, bytes);
    const name = `${repositoryName(image)}${image.digest === '' ? `:${image.tag}` : `@${image.digest}`}`;
    const annotations = { [nameAnnotation]: name };
    this.#entries.set(name, { mediaType, digest, size: bytes.length, annotations });
  }

  #write(digest: string, bytes: Uint8Array): void {
    const file = join(this.#folder, 'blobs', 'sha256', digest.slice('sha256:'.length));
    replaceFile(file, bytes, 0o644);
  }

  #writeIndex(): void {
    const manifests = [...this.#entries]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, entry]) => entry);
    const index = { schemaVersion: 2, mediaType: indexType, manifests };
    const layout = JSON.stringify({ imageLayoutVersion: '1.0.0' });
    replaceFile(join(this.#folder, 'oci-layout'), `${layout}\n`, 0o644);
    replaceFile(
      join(this.#folder, 'index.json'),
      `${JSON.stringify(index, undefined, 2)}\n`,
      0o644,
    );
  }
}

function requireLimits(depth: number, count: number): void {
  if (depth > deepestIndex) {
    throw new RegistryError(`indexes are nested more than ${deepestIndex} levels deep`);
  }
  if (count <= mostManifests) return;
  throw new RegistryError(`the image has more than ${mostManifests} manifests`);
}

function referenceOf(name: string): ImageReference {
  const reference = readImageReference(name);
  if (typeof reference === 'string') throw new RegistryError(reference);
  return reference;
}
