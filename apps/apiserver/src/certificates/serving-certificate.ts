import { hostname, networkInterfaces } from 'node:os';
import { createSecureContext } from 'node:tls';
import { errorText } from '@kubeadmit/base';
import { type CertificatePair, makeCertificate } from '@kubeadmit/certificates';
import { isLoopback } from '../configuration/loopback.ts';
import { readText } from '../configuration/read-text.ts';
import { UsageError } from '../configuration/usage-error.ts';

/** The source of the server's certificate. */
export interface ServingCertificateOptions {
  /** Files to use instead of a certificate of the cluster's authority. */
  readonly files?: { readonly certificateFile: string; readonly keyFile: string } | undefined;
  readonly authority: CertificatePair;
  readonly host: string;
  readonly names: readonly string[];
  readonly now: number;
}

/** Names that clients within a cluster use for its API. */
const clusterNames: readonly string[] = [
  'kubernetes',
  'kubernetes.default',
  'kubernetes.default.svc',
  'kubernetes.default.svc.cluster.local',
];

/** The certificate of the server, with its key. Rejects with a {@link UsageError} for files that cannot be read. */
export async function servingCertificate(
  options: ServingCertificateOptions,
): Promise<CertificatePair> {
  const { files, authority, host, names, now } = options;
  if (!files) {
    const subject = {
      type: 'server',
      commonName: 'kube-apiserver',
      names: namesOf(host, names),
    } as const;
    return makeCertificate(authority, subject, { now });
  }
  const { certificateFile, keyFile } = files;
  const [certificate, key] = await Promise.all([readText(certificateFile), readText(keyFile)]);
  try {
    createSecureContext({ cert: certificate, key });
  } catch (error) {
    const why = errorText(error);
    throw new UsageError(
      `--tls-cert and --tls-key: ${certificateFile} and ${keyFile} are not a certificate and its key: ${why}`,
    );
  }
  return { certificate, key };
}

function namesOf(host: string, names: readonly string[]): readonly string[] {
  const isEverywhere = host === '0.0.0.0' || host === '::';
  const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  return [
    ...new Set([
      'localhost',
      ...clusterNames,
      ...(isLoopback(host) ? [] : [hostname()]),
      '127.0.0.1',
      '::1',
      // An address of a link names the link too, which certificates cannot.
      ...(isEverywhere
        ? addresses.map(({ address }) => address).filter((address) => !address.includes('%'))
        : [host]),
      ...names,
    ]),
  ];
}
