import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { type CertificatePair, makeAuthority } from '@kubeadmit/certificates';
import type { KeyPlace } from './key-place.ts';

/** What proves identities in a cluster. */
export interface ClusterKeys {
  /** Signs the certificates of the server and of its clients. */
  readonly authority: CertificatePair;
  /** Signs tokens of service accounts; a P-256 key as PEM. */
  readonly tokenKey: string;
}

/** The keys that are kept in a place, made and kept there when they are missing. */
export async function loadClusterKeys(place: KeyPlace, now: number): Promise<ClusterKeys> {
  const [authority, tokenKey] = await Promise.all([
    loadOrMake(place, 'ca.json', async () =>
      JSON.stringify(await makeAuthority('kubeadmit-ca', { now })),
    ),
    loadOrMake(place, 'sa.key', makeTokenKey),
  ]);
  return { authority: JSON.parse(authority) as CertificatePair, tokenKey };
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
