import { X509Certificate } from 'node:crypto';
import { type CertificatePair, makeCertificate } from '@kubeadmit/certificates';
import { readText } from '../configuration/read-text.ts';
import type { ServerOptions } from '../configuration/server-options.ts';
import { UsageError } from '../configuration/usage-error.ts';
import type { KeyPlace } from '../stores/key-place.ts';
import { loadClusterKeys } from './cluster-keys.ts';
import { servingCertificate } from './serving-certificate.ts';

/** The certificates and keys of a server, and the client authorities that it trusts. */
export interface Identity {
  readonly serving: CertificatePair;
  /** The authority of the server's certificate, as PEM. */
  readonly certificateAuthority: string;
  /** The trusted authorities of client certificates, as PEM. */
  readonly clientAuthorities: readonly string[];
  /** Certificate of a client with all rights. */
  readonly administrator: CertificatePair;
  /** Signs tokens of service accounts, as PEM. */
  readonly tokenKey: string;
}

/** Loads or creates the keys of a cluster, and creates the certificates that they sign. */
export async function loadIdentity(
  options: Pick<ServerOptions, 'clientCaFile' | 'names' | 'tls'>,
  { keys, host, now }: { readonly keys: KeyPlace; readonly host: string; readonly now: number },
): Promise<Identity> {
  const { authority, tokenKey } = await loadClusterKeys(keys, now);
  const administrator = {
    type: 'client',
    user: 'kubernetes-admin',
    groups: ['system:masters'],
  } as const;
  const serving = await servingCertificate({
    files: options.tls,
    authority,
    host,
    names: options.names ?? [],
    now,
  });
  const others =
    options.clientCaFile === undefined ? [] : [await readAuthorities(options.clientCaFile)];
  return {
    serving,
    certificateAuthority: options.tls ? serving.certificate : authority.certificate,
    clientAuthorities: [authority.certificate, ...others],
    administrator: await makeCertificate(authority, administrator, { now }),
    tokenKey,
  };
}

// TLS accepts a file without certificates and then trusts none of its clients.
async function readAuthorities(file: string): Promise<string> {
  const text = await readText(file);
  try {
    new X509Certificate(text);
  } catch {
    throw new UsageError(`--client-ca: ${file} contains no PEM certificate`);
  }
  return text;
}
