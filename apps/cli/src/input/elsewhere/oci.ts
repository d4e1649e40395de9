import { sizeText } from '@kubeadmit/files';
import type { SkippedFiles } from '../skipped-files.ts';
import { readArchive, wanted } from './archive.ts';
import { type Credentials, credentialsFor, type Environment, jsonObject } from './credentials.ts';
import { checkDigest } from './digest.ts';
import { type DownloadLimits, download, isLocal } from './download.ts';
import { ElsewhereError, type FoundText, isArchiveName } from './found-text.ts';
import type { WebTexts } from './web.ts';

/** A reference to an artifact: `oci://HOST/NAME:TAG@DIGEST`. */
interface Reference {
  readonly origin: string;
  readonly name: string;
  readonly tag: string;
  readonly digest: string | undefined;
}

interface Descriptor {
  readonly mediaType?: string;
  readonly digest: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

const accepted =
  'application/vnd.oci.image.manifest.v1+json, application/vnd.docker.distribution.manifest.v2+json';

/**
 * Gets the manifests in the layers of an OCI artifact (OCI distribution specification): archives, or files that their
 * annotation `org.opencontainers.image.title` names. Every layer is checked against its digest, and the artifact against
 * that of the reference. Registries that require a password or a token get the credentials that `docker login` stored.
 *
 * @throws ElsewhereError if the artifact cannot be downloaded or is invalid
 */
export async function readArtifact(
  address: string,
  limits: DownloadLimits & { readonly env: Environment },
  skipped: SkippedFiles,
): Promise<WebTexts> {
  const reference = readReference(address);
  const { digest, tag, name } = reference;
  const registry = new Registry(reference.origin, limits, limits.env);
  const bytes = await registry.get(`/v2/${name}/manifests/${digest ?? tag}`, accepted);
  if (digest !== undefined) checkDigest(bytes, digest);
  const files: FoundText[] = [];
  let size = 0;
  for (const layer of layersOf(bytes)) {
    const content = await registry.get(`/v2/${name}/blobs/${layer.digest}`, '*/*');
    checkDigest(content, layer.digest);
    size += content.length;
    if (size > limits.maxFileSize) {
      throw new ElsewhereError(
        `the layers have more than ${sizeText(limits.maxFileSize)} (--max-file-size)`,
      );
    }
    const title = layer.annotations?.['org.opencontainers.image.title'];
    const isArchive = /tar|gzip/.test(layer.mediaType ?? '') || isArchiveName(title ?? '');
    if (isArchive) files.push(...(await readArchive(content, limits.maxFileSize)));
    else if (title !== undefined) files.push({ name: title, bytes: content });
  }
  return { ...wanted(files, address, skipped), isPinned: digest !== undefined };
}

function readReference(address: string): Reference {
  const [, host, name, tag, digest] =
    /^oci:\/\/([^/]+)\/([a-z0-9._/-]+?)(?::([\w.-]+))?(?:@(sha256:[0-9a-f]{64}))?$/.exec(address) ??
    [];
  if (host === undefined || name === undefined) {
    throw new ElsewhereError('invalid reference; expected oci://HOST/NAME:TAG@sha256:DIGEST');
  }
  const scheme = isLocal(host.replace(/:\d+$/, '')) ? 'http' : 'https';
  return { origin: `${scheme}://${host}`, name, tag: tag ?? 'latest', digest };
}

function layersOf(bytes: Uint8Array): readonly Descriptor[] {
  const manifest = objectIn(bytes, 'the registry returned no manifest of an artifact');
  const { layers, mediaType = 'something else' } = manifest;
  if (!Array.isArray(layers) || !layers.every(isDescriptor)) {
    throw new ElsewhereError(`expected an artifact with layers, got ${String(mediaType)}`);
  }
  if (layers.length > mostLayers) {
    throw new ElsewhereError(`the artifact has more than ${mostLayers} layers`);
  }
  return layers;
}

/** The most layers of an artifact: each one is a request, and artifacts of policies have a few. */
const mostLayers = 1000;

function isDescriptor(layer: unknown): layer is Descriptor {
  // The digest becomes a part of a URL.
  return /^sha256:[0-9a-f]{64}$/.test(String((layer as Descriptor | null)?.digest));
}

/** The JSON object that an answer is, of which nothing is known. */
function objectIn(bytes: Uint8Array, complaint: string): Readonly<Record<string, unknown>> {
  const value = jsonObject(Buffer.from(bytes).toString('utf8'));
  if (value === undefined) throw new ElsewhereError(complaint);
  return value;
}

class Registry {
  readonly #origin: string;
  readonly #limits: DownloadLimits;
  readonly #env: Environment;
  #authorization: string | undefined;

  constructor(origin: string, limits: DownloadLimits, env: Environment) {
    this.#origin = origin;
    this.#limits = limits;
    this.#env = env;
  }

  async get(path: string, accept: string): Promise<Uint8Array> {
    const first = await this.#ask(path, accept);
    if (first.response.status === 401 && this.#authorization === undefined) {
      const challenge = first.response.headers.get('www-authenticate') ?? '';
      this.#authorization = await this.#authorizationFor(challenge);
      return this.#good(await this.#ask(path, accept), path);
    }
    return this.#good(first, path);
  }

  #ask(path: string, accept: string) {
    const authorization = this.#authorization;
    const headers = { accept, ...(authorization === undefined ? {} : { authorization }) };
    // Registries keep layers with other hosts, which get no credentials.
    const request = { headers, followsRedirects: true };
    return download(`${this.#origin}${path}`, request, this.#limits);
  }

  #good({ response, bytes }: Awaited<ReturnType<typeof download>>, path: string): Uint8Array {
    if (response.ok) return bytes;
    const { status, statusText } = response;
    const hint = this.#hintFor(status);
    throw new ElsewhereError(`the response to ${path} is ${status} ${statusText}${hint}`);
  }

  #hintFor(status: number): string {
    return status === 401 || status === 403 ? `: ${this.#passwordHint()}` : '';
  }

  #passwordHint(): string {
    const { host } = new URL(this.#origin);
    const credentials = credentialsFor(host, this.#env);
    return credentials === undefined
      ? `the registry requires credentials; run \`docker login ${host}\``
      : `the registry rejects the credentials in ${credentials.from}`;
  }

  /** Returns the authorization for a challenge: a password, or a token, for which the registry may require a password. */
  async #authorizationFor(challenge: string): Promise<string> {
    const credentials = credentialsFor(new URL(this.#origin).host, this.#env);
    if (/^basic\b/i.test(challenge)) {
      if (credentials?.basic === undefined) throw new ElsewhereError(this.#passwordHint());
      return `Basic ${credentials.basic}`;
    }
    const fields = Object.fromEntries(
      [...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]),
    );
    const { realm, service = '', scope = '' } = fields;
    if (!/^bearer /i.test(challenge) || realm === undefined) {
      throw new ElsewhereError('the registry requires an unsupported kind of authentication');
    }
    const url = URL.canParse(realm) ? new URL(realm) : undefined;
    const isLocalRegistry = isLocal(new URL(this.#origin).hostname);
    const isSafe =
      url !== undefined &&
      (isLocal(url.hostname) ? isLocalRegistry : url.protocol === 'https:') &&
      /^https?:$/.test(url.protocol);
    if (!isSafe) {
      throw new ElsewhereError(
        `the registry names an invalid token URL (it must be https:// and not this machine): ${realm}`,
      );
    }
    const { response, bytes } = await this.#askForToken(url, { service, scope }, credentials);
    if (!response.ok) {
      const { status } = response;
      throw new ElsewhereError(
        `the registry returned no token (${status})${this.#hintFor(status)}`,
      );
    }
    const answer = objectIn(bytes, 'the registry returned no token');
    return `Bearer ${String(answer['token'] ?? answer['access_token'] ?? '')}`;
  }

  /** Asks for a token (Docker registry v2 authentication), with an identity token by OAuth2. */
  #askForToken(
    url: URL,
    about: Readonly<Record<string, string>>,
    credentials: Credentials | undefined,
  ) {
    if (credentials?.identityToken !== undefined) {
      const body = new URLSearchParams({
        grant_type: 'refresh_token',
        client_id: 'kubeadmit',
        refresh_token: credentials.identityToken,
        ...about,
      });
      const type = { 'content-type': 'application/x-www-form-urlencoded' };
      const request = { headers: type, body: body.toString(), followsRedirects: false };
      return download(url.href, request, this.#limits);
    }
    for (const [name, value] of Object.entries(about)) url.searchParams.set(name, value);
    const basic = credentials?.basic;
    const headers = basic === undefined ? {} : { authorization: `Basic ${basic}` };
    return download(url.href, { headers, followsRedirects: false }, this.#limits);
  }
}
