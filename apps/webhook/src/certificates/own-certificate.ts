import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isCertificateFor, isDueForRenewal, makeAuthority, makeCertificate } from './authority.ts';
import type { CertificatePair } from './pair.ts';

const authorityFile = 'ca.crt';
const authorityKeyFile = 'ca.key';
const certificateFile = 'tls.crt';
const keyFile = 'tls.key';

/** An own certificate, and the authority that clients have to trust. */
export interface OwnCertificate extends CertificatePair {
  /** The authority, and the one before it while certificates of both are in use. */
  readonly authorities: string;
  /** Something was made or renewed. */
  readonly isNew: boolean;
}

/**
 * Reads the certificate that a folder keeps; makes or renews it, and its authority, where they are missing,
 * have a third of their life left, or are for other names.
 *
 * A new authority stands before the old one in `ca.crt`, so that clients that read it trust both.
 */
export async function ownCertificate(
  folder: string,
  dnsNames: readonly string[],
  now: number,
): Promise<OwnCertificate> {
  const names = [...new Set([...dnsNames, 'localhost', '127.0.0.1', '::1'])];
  mkdirSync(folder, { recursive: true });
  const old = readFrom(folder, authorityFile, authorityKeyFile);
  const isOldGood = old !== undefined && !isDueForRenewal(firstOf(old.certificate), now);
  const made = isOldGood ? undefined : await makeAuthority(now);
  const authority = made ?? (old as CertificatePair);
  const issuer = firstOf(authority.certificate);
  const authorities =
    made === undefined || old === undefined
      ? authority.certificate
      : `${made.certificate.trim()}\n${firstOf(old.certificate).trim()}\n`;
  if (made !== undefined) {
    write(folder, authorityKeyFile, made.key);
    write(folder, authorityFile, authorities);
  }
  const known = readFrom(folder, certificateFile, keyFile);
  if (
    known !== undefined &&
    !isDueForRenewal(known.certificate, now) &&
    isCertificateFor(known.certificate, issuer, names)
  ) {
    return { ...known, authorities, isNew: false };
  }
  const pair = await makeCertificate({ certificate: issuer, key: authority.key }, names, now);
  write(folder, keyFile, pair.key);
  write(folder, certificateFile, pair.certificate);
  return { ...pair, authorities, isNew: true };
}

function readFrom(folder: string, certificate: string, key: string): CertificatePair | undefined {
  const files = { certificate: join(folder, certificate), key: join(folder, key) };
  if (!existsSync(files.certificate) || !existsSync(files.key)) return undefined;
  return {
    certificate: readFileSync(files.certificate, 'utf8'),
    key: readFileSync(files.key, 'utf8'),
  };
}

// Whoever reads the file sees the old text or the new one, and keys are for us alone.
function write(folder: string, name: string, text: string): void {
  const path = join(folder, name);
  writeFileSync(`${path}.new`, text, { mode: name.endsWith('.key') ? 0o600 : 0o644 });
  renameSync(`${path}.new`, path);
}

function firstOf(certificates: string): string {
  const end = '-----END CERTIFICATE-----';
  const at = certificates.indexOf(end);
  return at < 0 ? certificates : `${certificates.slice(0, at + end.length)}\n`;
}
