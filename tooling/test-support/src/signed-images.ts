import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { LayoutWriter, Written } from './layout-writer.ts';

/** A pair of keys that signs images. */
export interface SigningKeys {
  readonly privateKey: KeyObject;
  /** The public key in PEM. */
  readonly pem: string;
}

const types = {
  ecdsa: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  'ecdsa-384': () => generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  rsa: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ed25519: () => generateKeyPairSync('ed25519'),
};

/** Generates keys. */
export function makeKeys(type: keyof typeof types = 'ecdsa'): SigningKeys {
  const { privateKey, publicKey } = types[type]();
  return { privateKey, pem: publicKey.export({ type: 'spki', format: 'pem' }).toString() };
}

/** Signs bytes as cosign does. */
export function signBytes({ privateKey }: SigningKeys, bytes: Uint8Array, hash = 'sha256'): string {
  const algorithm = privateKey.asymmetricKeyType === 'ed25519' ? null : hash;
  return sign(algorithm, bytes, privateKey).toString('base64');
}

/** The deviations of a signature from a valid one. */
export interface SignatureOptions {
  readonly hash?: string;
  /** The digest that the payload names; default that of the image. */
  readonly claimed?: string;
  readonly optional?: Readonly<Record<string, string>>;
  /** Annotations of the layer in addition. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** Changes the payload after it was signed. */
  readonly tamper?: (payload: string) => string;
}

/** Writes a signature layer of an image, with a payload of simple signing. */
export function signatureLayer(
  layout: LayoutWriter,
  digest: string,
  keys: SigningKeys,
  { hash, claimed = digest, optional, annotations, tamper = (text) => text }: SignatureOptions = {},
): Written {
  const payload = JSON.stringify({
    critical: {
      identity: { 'docker-reference': '' },
      image: { 'docker-manifest-digest': claimed },
      type: 'cosign container image signature',
    },
    optional: optional ?? null,
  });
  const signature = signBytes(keys, Buffer.from(payload), hash);
  return {
    ...layout.blob(tamper(payload), 'application/vnd.dev.cosign.simplesigning.v1+json'),
    annotations: { 'dev.cosignproject.cosign/signature': signature, ...annotations },
  };
}

/** Stores layers as the signatures (`sig`) or attestations (`att`) of an image of a repository. */
export function storeLayers(
  layout: LayoutWriter,
  repository: string,
  digest: string,
  layers: readonly Written[],
  suffix: 'sig' | 'att' = 'sig',
): void {
  layout.manifest(`${repository}:${digest.replace(':', '-')}.${suffix}`, layers);
}
