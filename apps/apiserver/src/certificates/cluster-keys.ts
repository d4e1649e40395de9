import { createPrivateKey, generateKeyPair, X509Certificate } from 'node:crypto';
import { promisify } from 'node:util';
import { errorText } from '@kubeadmit/base';
import { type CertificatePair, makeAuthority } from '@kubeadmit/certificates';
import type { KeyPlace } from '../stores/key-place.ts';
import { StoreError } from '../stores/store-error.ts';

/** The keys that sign certificates and tokens in a cluster. */
export interface ClusterKeys {
  /** Signs the certificates of the server and of its clients. */
  readonly authority: CertificatePair;
  /** Signs tokens of service accounts; a P-256 key as PEM. */
  readonly tokenKey: string;
}

/** Loads the keys from a place, and creates them there if they are missing. */
export async function loadClusterKeys(place: KeyPlace, now: number): Promise<ClusterKeys> {
  const [authority, tokenKey] = await Promise.all([
    loadOrMake(place, 'ca.json', async () =>
      JSON.stringify(await makeAuthority('kubeadmit-ca', { now })),
    ),
    loadOrMake(place, 'sa.key', makeTokenKey),
  ]);
  return { authority: readAuthority(authority), tokenKey: readTokenKey(tokenKey) };
}

function readAuthority(text: string): CertificatePair {
  try {
    const pair = JSON.parse(text) as CertificatePair;
    new X509Certificate(pair.certificate);
    createPrivateKey(pair.key);
    return pair;
  } catch (error) {
    throw unreadable('ca.json', 'authority', error);
  }
}

function readTokenKey(text: string): string {
  try {
    createPrivateKey(text);
    return text;
  } catch (error) {
    throw unreadable('sa.key', 'key of service accounts', error);
  }
}

function unreadable(name: string, what: string, error: unknown): StoreError {
  const why = errorText(error);
  return new StoreError(
    `cannot read the ${what} of the cluster (${name}): ${why}; restore it from a backup, or remove it and start once with --new-keys, after which all clients need a new kubeconfig`,
  );
}

async function loadOrMake(
  place: KeyPlace,
  name: string,
  make: () => Promise<string>,
): Promise<string> {
  return (await place.read(name)) ?? (await place.create(name, await make()));
}

async function makeTokenKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}
