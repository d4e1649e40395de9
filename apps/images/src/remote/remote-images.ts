import type { ImageReference } from '@kubeadmit/kyverno/images';
import { digestOfBytes, requireDigest } from '../registry/digest.ts';
import { maxBlobSize, maxManifestSize } from '../registry/limits.ts';
import { readManifest } from '../registry/manifests.ts';
import type { RemoteRegistry } from '../registry/record.ts';
import {
  type Descriptor,
  type Manifest,
  RegistryError,
  type Repository,
  repositoryName,
  tagOf,
} from '../registry/registry.ts';
import type { RegistryAnswer, RegistryClient } from './registry-client.ts';

const manifestTypes = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');

/** The statuses of registries without the API for referrers, as in the library of cosign. */
const withoutReferrers: ReadonlySet<number> = new Set([400, 404, 406]);

/** Creates the client for the host of a registry. */
export type ClientFor = (host: string) => RegistryClient;

/** How many clients are kept. */
const mostClients = 1000;

/** Images in registries, read through the OCI distribution API. */
export class RemoteImages implements RemoteRegistry {
  readonly #makeClient: ClientFor;
  /** A client for each repository, since tokens are for one repository. */
  readonly #clients = new Map<string, RegistryClient>();

  constructor(makeClient: ClientFor) {
    this.#makeClient = makeClient;
  }

  /**
   * Returns the manifest of an image; undefined if the registry has none of this name.
   *
   * @throws DownloadError for answers without success
   * @throws RegistryError for content that cannot be used
   */
  readonly manifest = async (image: ImageReference): Promise<Manifest | undefined> => {
    const { tag, digest } = image;
    const path = pathOf(image, `manifests/${digest || tag}`);
    const answer = await this.#ask(image, path, manifestTypes, maxManifestSize);
    if (answer.response.status === 404) return undefined;
    const bytes = await this.#clientFor(image).good(answer, path);
    if (digest !== '') requireDigest(bytes, digest);
    const mediaType = answer.response.headers.get('content-type') ?? '';
    return { bytes, digest: digestOfBytes(bytes), mediaType };
  };

  /**
   * Returns a blob of a repository.
   *
   * @throws DownloadError for answers without success
   * @throws RegistryError for content that cannot be used
   */
  readonly blob = async (
    repository: Repository,
    { digest, size }: Descriptor,
  ): Promise<Uint8Array> => {
    if (size > maxBlobSize) {
      throw new RegistryError(`${digest} has ${size} bytes, more than ${maxBlobSize}`);
    }
    const path = pathOf(repository, `blobs/${digest}`);
    const answer = await this.#ask(repository, path, '*/*', size);
    const bytes = await this.#clientFor(repository).good(answer, path);
    requireDigest(bytes, digest);
    return bytes;
  };

  /**
   * Returns the list of the manifests that refer to a digest; undefined if there is none.
   *
   * @throws DownloadError for answers without success
   * @throws RegistryError for content that cannot be used, and lists of several pages
   */
  readonly referrers = async (
    repository: Repository,
    digest: string,
  ): Promise<Manifest | undefined> => {
    const path = pathOf(repository, `referrers/${digest}`);
    const answer = await this.#ask(repository, path, manifestTypes, maxManifestSize);
    if (withoutReferrers.has(answer.response.status)) {
      return this.manifest(tagOf(repository, digest.replace(':', '-')));
    }
    const bytes = await this.#clientFor(repository).good(answer, path);
    const { headers } = answer.response;
    if (headers.has('link')) {
      throw new RegistryError('lists of referrers with several pages are not supported');
    }
    const mediaType = headers.get('content-type') ?? '';
    const list = { bytes, digest: digestOfBytes(bytes), mediaType };
    return readManifest(list).manifests.length === 0 ? undefined : list;
  };

  #ask(
    repository: Repository,
    path: string,
    accept: string,
    maxFileSize: number,
  ): Promise<RegistryAnswer> {
    return this.#clientFor(repository).ask(path, accept, maxFileSize);
  }

  #clientFor(repository: Repository): RegistryClient {
    const { registry } = repository;
    const name = repositoryName(repository);
    const known = this.#clients.get(name);
    if (known !== undefined) return known;
    if (this.#clients.size >= mostClients) this.#clients.clear();
    const client = this.#makeClient(
      registry === 'index.docker.io' ? 'registry-1.docker.io' : registry,
    );
    this.#clients.set(name, client);
    return client;
  }
}

function pathOf({ repository }: Repository, rest: string): string {
  return `/v2/${repository}/${rest}`;
}
