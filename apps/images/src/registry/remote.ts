import type { ImageReference } from '@kubeadmit/kyverno/internal';
import type { Credentials, FindCredentials } from './credentials.ts';
import { digestOfBytes, requireDigest } from './digest.ts';
import { type Answer, get, isLoopback, registryAddress } from './http.ts';
import { maxBlobSize, maxManifestSize } from './layout.ts';
import { readJsonObject, readManifest } from './manifests.ts';
import {
  type Descriptor,
  type Manifest,
  RegistryError,
  type Repository,
  repositoryName,
  tagOf,
} from './registry.ts';

const manifestTypes = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');

/** The answers of registries without the API for referrers, as the library of cosign knows them. */
const withoutReferrers: ReadonlySet<number> = new Set([400, 404, 406]);

/** Registries, read through the OCI distribution API. Content is checked against its digest. */
export class RemoteRegistry {
  readonly #credentials: FindCredentials;
  /** The authorization of each repository, after the registry has asked for it. */
  readonly #authorizations = new Map<string, string>();

  constructor(credentials: FindCredentials) {
    this.#credentials = credentials;
  }

  /**
   * Returns the manifest of an image; undefined if the registry has none of this name.
   *
   * @throws RegistryError for answers that cannot be used
   */
  async manifest(image: ImageReference): Promise<Manifest | undefined> {
    const { tag, digest } = image;
    const path = `manifests/${digest || tag}`;
    const answer = await this.#get(image, path, {
      accept: manifestTypes,
      maxSize: maxManifestSize,
    });
    if (answer.status === 404) return undefined;
    requireSuccess(answer, `${image.text}: manifest`);
    const { bytes } = answer;
    if (digest !== '') requireDigest(bytes, digest);
    return { bytes, digest: digestOfBytes(bytes), mediaType: answer.header('content-type') };
  }

  /**
   * Returns a blob of a repository.
   *
   * @throws RegistryError if it is missing or cannot be used
   */
  async blob(repository: Repository, { digest, size }: Descriptor): Promise<Uint8Array> {
    if (size > maxBlobSize) {
      throw new RegistryError(`${digest} has ${size} bytes, more than ${maxBlobSize}`);
    }
    const options = { accept: '*/*', maxSize: size };
    const answer = await this.#get(repository, `blobs/${digest}`, options);
    requireSuccess(answer, `content ${digest}`);
    requireDigest(answer.bytes, digest);
    return answer.bytes;
  }

  /**
   * Returns the list of the manifests that refer to a digest; undefined if there is none.
   *
   * @throws RegistryError for answers that cannot be used, and lists of several pages
   */
  async referrers(repository: Repository, digest: string): Promise<Manifest | undefined> {
    const options = { accept: manifestTypes, maxSize: maxManifestSize };
    const answer = await this.#get(repository, `referrers/${digest}`, options);
    if (withoutReferrers.has(answer.status)) {
      return this.manifest(tagOf(repository, digest.replace(':', '-')));
    }
    const what = `${repositoryName(repository)}@${digest}: referrers`;
    requireSuccess(answer, what);
    if (answer.header('link') !== '') {
      throw new RegistryError(`${what}: lists of several pages are not supported`);
    }
    const { bytes } = answer;
    const mediaType = answer.header('content-type');
    const list = { bytes, digest: digestOfBytes(bytes), mediaType };
    return readManifest(list).manifests.length === 0 ? undefined : list;
  }

  async #get(
    repository: Repository,
    path: string,
    { accept, maxSize }: { readonly accept: string; readonly maxSize: number },
  ): Promise<Answer> {
    const { registry, repository: name } = repository;
    const key = `${registry}/${name}`;
    const address = new URL(`${name}/${path}`, registryAddress(registry));
    const ask = (authorization: string | undefined): Promise<Answer> =>
      get(address, { headers: { accept, ...(authorization && { authorization }) }, maxSize });
    const answer = await ask(this.#authorizations.get(key));
    if (answer.status !== 401) return answer;
    const authorization = await authorize(answer, repository, this.#credentials(registry));
    if (authorization === undefined) return answer;
    this.#authorizations.set(key, authorization);
    return ask(authorization);
  }
}

function requireSuccess({ status }: Answer, what: string): void {
  if (status === 200) return;
  const hint = status === 401 || status === 403 ? '; log in with docker login' : '';
  throw new RegistryError(`${what}: the registry answered with status ${status}${hint}`);
}

/** Returns the authorization that a registry asks for; undefined without credentials for it. */
async function authorize(
  answer: Answer,
  { registry, repository: name }: Repository,
  credentials: Credentials | undefined,
): Promise<string | undefined> {
  const basic = credentials && basicOf(credentials);
  const challenge = answer.header('www-authenticate');
  const [, scheme = '', rest = ''] = /^(\w+)\s*(.*)$/.exec(challenge) ?? [];
  if (scheme.toLowerCase() !== 'bearer') return basic;
  const parts = new Map(
    [...rest.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]),
  );
  const realm = parts.get('realm');
  if (realm === undefined || !URL.canParse(realm)) return undefined;
  const address = new URL(realm);
  if (isLoopback(address) && !isLoopback(registryAddress(registry))) {
    throw new RegistryError(`${registry} asks for a token of this machine (${address.host})`);
  }
  address.searchParams.set('service', parts.get('service') ?? '');
  address.searchParams.set('scope', `repository:${name}:pull`);
  const headers = { accept: 'application/json', ...(basic && { authorization: basic }) };
  const token = await get(address, { headers, maxSize: 2 ** 20 });
  if (token.status !== 200) return undefined;
  const json = readJsonObject(token.bytes, `the token of ${address.origin}`);
  const value = json['token'] ?? json['access_token'];
  return typeof value === 'string' ? `Bearer ${value}` : undefined;
}

function basicOf({ username, password }: Credentials): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}
