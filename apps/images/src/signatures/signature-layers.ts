import type { ImageReference } from '@kubeadmit/kyverno/images';
import { readManifest } from '../registry/manifests.ts';
import {
  type Descriptor,
  type Registry,
  RegistryError,
  type Repository,
  tagOf,
} from '../registry/registry.ts';

/** A signature or attestation in the form of cosign 1 and 2: a layer with annotations. */
export interface SignatureLayer {
  /** The signed bytes: a payload of simple signing, or the envelope of an attestation. */
  readonly payload: Uint8Array;
  /** Empty for attestations, whose envelope has the signature; undefined if it is missing. */
  readonly signature: string | undefined;
  /** The certificate in PEM, or empty. */
  readonly certificate: string;
  /** The chain of the certificate in PEM, or empty. */
  readonly chain: string;
  /** The entry of a transparency log as JSON, or empty. */
  readonly bundle: string;
  /** The timestamp of an authority as JSON, or empty. */
  readonly timestamp: string;
  /** All annotations of the layer. */
  readonly annotations: Readonly<Record<string, string>>;
  /** The digest of the layer. */
  readonly digest: string;
}

/** The largest payload in bytes. */
const maxPayloadSize = 16 * 2 ** 20;

/** The largest size of all payloads of a manifest in bytes: a manifest can name one large layer a thousand times. */
const maxTotalSize = 64 * 2 ** 20;

/**
 * Returns the signatures (`sig`) or attestations (`att`) of a digest, which cosign stores as the tag
 * `sha256-….sig` or `sha256-….att`; empty without the tag.
 *
 * @throws RegistryError for content that cannot be used
 */
export function taggedLayers(
  registry: Registry,
  repository: Repository,
  digest: string,
  suffix: 'sig' | 'att',
  prefix: string = '',
): readonly SignatureLayer[] {
  const tag = `${prefix}${digest.replace(':', '-')}.${suffix}`;
  return layersOf(registry, tagOf(repository, tag));
}

/** Returns the signatures in a manifest; empty if it does not exist. */
export function layersOf(registry: Registry, reference: ImageReference): readonly SignatureLayer[] {
  const manifest = registry.manifest(reference);
  if (manifest === undefined) return [];
  const { layers } = readManifest(manifest);
  const total = layers.reduce((sum, { size }) => sum + size, 0);
  if (total > maxTotalSize) {
    throw new RegistryError(`the layers have ${total} bytes, more than ${maxTotalSize}`);
  }
  return layers.map((layer) => readLayer(registry, reference, layer));
}

function readLayer(registry: Registry, repository: Repository, layer: Descriptor): SignatureLayer {
  const { annotations, digest, size } = layer;
  if (size > maxPayloadSize) {
    throw new RegistryError(`layer ${digest} has ${size} bytes, more than ${maxPayloadSize}`);
  }
  return {
    payload: registry.blob(repository, layer),
    signature: annotations['dev.cosignproject.cosign/signature'],
    certificate: annotations['dev.sigstore.cosign/certificate'] ?? '',
    chain: annotations['dev.sigstore.cosign/chain'] ?? '',
    bundle: annotations['dev.sigstore.cosign/bundle'] ?? '',
    timestamp: annotations['dev.sigstore.cosign/rfc3161timestamp'] ?? '',
    annotations,
    digest,
  };
}
