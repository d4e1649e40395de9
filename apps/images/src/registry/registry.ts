import type { ImageReference } from '@kubeadmit/kyverno/images';

/** The repository of an image: the registry's host and the path. */
export type Repository = Pick<ImageReference, 'registry' | 'repository'>;

/** The description of content in a registry, of which only the checked fields are used. */
export interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  /** The size in bytes. */
  readonly size: number;
  readonly artifactType: string;
  readonly annotations: Readonly<Record<string, string>>;
}

/** A manifest or index as a registry returns it; its digest is that of its bytes. */
export interface Manifest {
  readonly mediaType: string;
  readonly digest: string;
  readonly bytes: Uint8Array;
}

/** Images with their signatures. All content is checked against its digest. */
export interface Registry {
  /**
   * Returns the manifest of an image; undefined if the registry has none of this name.
   *
   * @throws RegistryError for content that cannot be used
   */
  readonly manifest: (image: ImageReference) => Manifest | undefined;
  /**
   * Returns a blob of a repository.
   *
   * @throws RegistryError if it is missing or cannot be used
   */
  readonly blob: (repository: Repository, descriptor: Descriptor) => Uint8Array;
  /**
   * Returns the descriptions of the manifests that refer to a digest.
   *
   * @throws RegistryError for content that cannot be used
   */
  readonly referrers: (repository: Repository, digest: string) => readonly Descriptor[];
}

/** Why the data of an image cannot be used. */
export class RegistryError extends Error {}

/** The name of a repository, which precedes tags and digests. */
export function repositoryName({ registry, repository }: Repository): string {
  return `${registry}/${repository}`;
}

/** A tag of a repository as the reference of an image. */
export function tagOf(repository: Repository, tag: string): ImageReference {
  const { registry, repository: path } = repository;
  return { text: `${registry}/${path}:${tag}`, registry, repository: path, tag, digest: '' };
}

/** A digest of a repository as the reference of an image. */
export function digestOf(repository: Repository, digest: string): ImageReference {
  const { registry, repository: path } = repository;
  return { text: `${registry}/${path}@${digest}`, registry, repository: path, tag: '', digest };
}
