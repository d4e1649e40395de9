import { readArchive } from './archive.ts';
import { checkDigest } from './digest.ts';
import { type DownloadLimits, download } from './download.ts';
import { ElsewhereError, type FoundText } from './found-text.ts';
import { isLocal, type WebTexts, wanted } from './web.ts';

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
 * annotation `org.opencontainers.image.title` names. Every layer is held against its digest, and the artifact against the
 * one of the reference; registries that ask for a token without a password are given one.
 *
 * @throws ElsewhereError for what cannot be got, or is something else.
 */
export async function readArtifact(
  address: string,
  isWanted: (name: string) => boolean,
  limits: DownloadLimits,
): Promise<WebTexts> {
  const reference = readReference(address);
  const { digest, tag, name } = reference;
  const registry = new Registry(reference.origin, limits);
  const bytes = await registry.get(`/v2/${name}/manifests/${digest ?? tag}`, accepted);
  if (digest !== undefined) checkDigest(bytes, digest);
  const files: FoundText[] = [];
  for (const layer of layersOf(bytes)) {
    const content = await registry.get(`/v2/${name}/blobs/${layer.digest}`, '*/*');
    checkDigest(content, layer.digest);
    const title = layer.annotations?.['org.opencontainers.image.title'];
    const isArchive =
      /tar|gzip/.test(layer.mediaType ?? '') || /\.(?:tar|tgz|tar\.gz)$/.test(title ?? '');
    if (isArchive) files.push(...readArchive(content, limits.maxFileSize));
    else if (title !== undefined) files.push({ name: title, bytes: content });
  }
  return { texts: wanted(files, isWanted, address), isPinned: digest !== undefined };
}

function readReference(address: string): Reference {
  const [, host, name, tag, digest] =
    /^oci:\/\/([^/]+)\/([a-z0-9._/-]+?)(?::([\w.-]+))?(?:@(sha256:[0-9a-f]{64}))?$/.exec(address) ??
    [];
  if (host === undefined || name === undefined) {
    throw new ElsewhereError('this is no reference such as oci://HOST/NAME:TAG@sha256:DIGEST');
  }
  const scheme = isLocal(host.replace(/:\d+$/, '')) ? 'http' : 'https';
  return { origin: `${scheme}://${host}`, name, tag: tag ?? 'latest', digest };
}

function layersOf(bytes: Uint8Array): readonly Descriptor[] {
  const manifest = objectIn(bytes, 'the registry gives no manifest of an artifact');
  const { layers, mediaType = 'something else' } = manifest;
  if (!Array.isArray(layers) || !layers.every(isDescriptor)) {
    throw new ElsewhereError(`this is no artifact with layers, but ${String(mediaType)}`);
  }
  return layers;
}

function isDescriptor(layer: unknown): layer is Descriptor {
  return typeof (layer as Descriptor | null)?.digest === 'string';
}

/** The JSON object that an answer is, of which nothing is known. */
function objectIn(bytes: Uint8Array, complaint: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // As bad as any other value.
  }
  throw new ElsewhereError(complaint);
}

class Registry {
  readonly #origin: string;
  readonly #limits: DownloadLimits;
  #token: string | undefined;

  constructor(origin: string, limits: DownloadLimits) {
    this.#origin = origin;
    this.#limits = limits;
  }

  async get(path: string, accept: string): Promise<Uint8Array> {
    const first = await this.#ask(path, accept);
    if (first.response.status === 401 && this.#token === undefined) {
      this.#token = await this.#newToken(first.response.headers.get('www-authenticate') ?? '');
      return this.#good(await this.#ask(path, accept), path);
    }
    return this.#good(first, path);
  }

  #ask(path: string, accept: string) {
    const headers = {
      accept,
      ...(this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` }),
    };
    return download(`${this.#origin}${path}`, headers, this.#limits);
  }

  #good({ response, bytes }: Awaited<ReturnType<typeof download>>, path: string): Uint8Array {
    if (response.ok) return bytes;
    const hint = response.status === 401 ? ': it asks for a password, which is not given here' : '';
    throw new ElsewhereError(
      `the answer to ${path} is ${response.status} ${response.statusText}${hint}`,
    );
  }

  async #newToken(challenge: string): Promise<string> {
    const fields = Object.fromEntries(
      [...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]),
    );
    const { realm, service = '', scope = '' } = fields;
    if (!/^bearer /i.test(challenge) || realm === undefined) {
      throw new ElsewhereError('the registry asks for a password, which is not given here');
    }
    const url = URL.canParse(realm) ? new URL(realm) : undefined;
    if (url === undefined || (url.protocol !== 'https:' && !isLocal(url.hostname))) {
      throw new ElsewhereError(
        `the registry names an address for tokens that is not https: ${realm}`,
      );
    }
    url.searchParams.set('service', service);
    url.searchParams.set('scope', scope);
    const { response, bytes } = await download(url.href, {}, this.#limits);
    if (!response.ok) throw new ElsewhereError(`the registry gives no token (${response.status})`);
    const answer = objectIn(bytes, 'the registry gives no token');
    return String(answer['token'] ?? answer['access_token'] ?? '');
  }
}
