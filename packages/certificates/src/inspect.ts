import 'reflect-metadata';
import { SubjectAlternativeNameExtension, X509Certificate } from '@peculiar/x509';

/** Whether a third of a certificate's life or less is left at a time, in milliseconds since 1970. */
export function isDueForRenewal(certificate: string, now: number): boolean {
  const { notBefore, notAfter } = new X509Certificate(certificate);
  const [from, to] = [notBefore.getTime(), notAfter.getTime()];
  return to - now <= (to - from) / 3;
}

/** Whether a certificate is for all of these names, and signed by an authority. */
export async function isCertificateFor(
  certificate: string,
  authority: string,
  names: readonly string[],
): Promise<boolean> {
  const parsed = new X509Certificate(certificate);
  const issuer = new X509Certificate(authority);
  if (parsed.issuer !== issuer.subject) return false;
  const isSigned = await parsed.verify({ publicKey: issuer.publicKey, signatureOnly: true });
  const known = new Set(
    parsed
      .getExtension(SubjectAlternativeNameExtension)
      ?.names.items.map(({ value }) => value.toLowerCase()),
  );
  return isSigned && names.every((name) => known.has(name.toLowerCase()));
}
