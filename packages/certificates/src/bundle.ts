const certificate = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** Returns the certificates of a PEM string, one string each. */
export function certificatesIn(text: string): readonly string[] {
  return (text.match(certificate) ?? []).map((each) => `${each}\n`);
}

/** One PEM text with certificates, each of them once, in their order. */
export function bundleOf(texts: readonly string[]): string {
  return [...new Set(texts.flatMap(certificatesIn))].join('');
}
