import { sizeText } from '@kubeadmit/files';
import { type DownloadLimits, objectIn } from '@kubeadmit/images/remote';
import { ElsewhereError, type FoundText, isArchiveName } from '../local/found-text.ts';
import type { SkippedFiles } from '../local/skipped-files.ts';
import { readArchive, wanted } from './archive.ts';
import type { Environment } from './credentials.ts';
import { checkDigest } from './digest.ts';
import { registryClient } from './registries.ts';
import type { WebTexts } from './web.ts';

/** A reference to an artifact: `oci://HOST/NAME:TAG@DIGEST`. */
interface Reference {
  readonly host: string;
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
  const registry = registryClient(reference.host, limits, limits.env);
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
  return { host, name, tag: tag ?? 'latest', digest };
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
