import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { readBytes } from '@kubeadmit/files';
import type { ImageReference } from '@kubeadmit/kyverno/images';
import { requireDigest } from './digest.ts';
import { maxBlobSize, maxManifestSize } from './limits.ts';
import { isDigest, readManifest } from './manifests.ts';
import {
  type Descriptor,
  type Manifest,
  type Registry,
  RegistryError,
  type Repository,
  repositoryName,
  tagOf,
} from './registry.ts';

/** The annotation with the name of an entry; kubeadmit writes the full name of the image. */
export const nameAnnotation = 'org.opencontainers.image.ref.name';

/**
 * Images in an OCI layout folder. Entries of `index.json` have the full name of an image in the annotation
 * `org.opencontainers.image.ref.name`; content is read from `blobs/sha256` and checked against its digest.
 */
export class ImageLayout implements Registry {
  readonly #folder: string;
  readonly #entries: ReadonlyMap<string, Descriptor>;

  /** @throws RegistryError if the folder is not an OCI layout */
  constructor(folder: string) {
    this.#folder = folder;
    if (!existsSync(join(folder, 'oci-layout')) || !existsSync(join(folder, 'index.json'))) {
      throw new RegistryError('not an OCI layout; expected the files oci-layout and index.json');
    }
    this.#entries = new Map(entriesOf(folder));
  }

  readonly manifest = (image: ImageReference): Manifest | undefined => {
    const entry = this.#find(image);
    if (entry === undefined) return undefined;
    const { digest, mediaType } = entry;
    const bytes = this.#read(digest, maxManifestSize);
    return { digest, bytes, mediaType: mediaType || readManifest({ bytes, digest }).mediaType };
  };

  readonly blob = (_repository: Repository, { digest, size }: Descriptor): Uint8Array => {
    const bytes = this.#read(digest, maxBlobSize);
    // Limits on sizes are those of descriptors.
    if (bytes.length === size) return bytes;
    throw new RegistryError(`content ${digest} has ${bytes.length} bytes, expected ${size}`);
  };

  readonly referrers = (repository: Repository, digest: string): readonly Descriptor[] => {
    const list = this.manifest(tagOf(repository, digest.replace(':', '-')));
    return list === undefined ? [] : readManifest(list).manifests;
  };

  #find(image: ImageReference): Descriptor | undefined {
    const { tag, digest } = image;
    const name = repositoryName(image);
    if (digest === '') return this.#entries.get(`${name}:${tag}`);
    const named = [...this.#entries].find(
      ([key, entry]) =>
        entry.digest === digest && (key.startsWith(`${name}:`) || key.startsWith(`${name}@`)),
    );
    return named?.[1] ?? this.#findListed(name, digest);
  }

  /** The description of a manifest in a list of the repository: of platforms, or of referrers. */
  #findListed(name: string, digest: string): Descriptor | undefined {
    const isOfRepository = ([key]: readonly [string, Descriptor]): boolean =>
      key.startsWith(`${name}:`) || key.startsWith(`${name}@`);
    const lists = [...this.#entries].filter(isOfRepository).map(([, entry]) => entry.digest);
    for (const list of new Set(lists)) {
      const bytes = this.#read(list, maxManifestSize);
      const found = readManifest({ bytes, digest: list }).manifests.find(
        (each) => each.digest === digest,
      );
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #read(digest: string, maxSize: number): Uint8Array {
    // A digest becomes a part of a path.
    if (!isDigest(digest)) throw new RegistryError(`invalid digest ${JSON.stringify(digest)}`);
    const file = join(this.#folder, 'blobs', 'sha256', digest.slice('sha256:'.length));
    if (!existsSync(file)) throw new RegistryError(`missing content ${digest}`);
    const bytes = readRegular(file, maxSize);
    requireDigest(bytes, digest);
    return bytes;
  }
}

/**
 * Returns the entries of the `index.json` in a folder with their names; none without the file.
 *
 * @throws RegistryError for a file with something else
 */
export function entriesOf(folder: string): readonly (readonly [string, Descriptor])[] {
  const file = join(folder, 'index.json');
  if (!existsSync(file)) return [];
  const bytes = readRegular(file, maxManifestSize);
  const { manifests } = readManifest({ bytes, digest: 'index.json' });
  return manifests.map((entry) => [entry.annotations[nameAnnotation] ?? '', entry]);
}

/** Reads a regular file; a link in a layout could lead to any file of the machine. */
function readRegular(file: string, maxSize: number): Uint8Array {
  if (!lstatSync(file).isFile()) throw new RegistryError(`${file}: not a regular file`);
  try {
    return readBytes(file, { maxSize, regularOnly: true });
  } catch (error) {
    throw new RegistryError(`${file}: ${error instanceof Error ? error.message : 'unreadable'}`);
  }
}
