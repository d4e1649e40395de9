/** The newest minor version of Kubernetes whose libraries are known: 37 stands for 1.37. */
export const newestMinor = 37;

/** The oldest minor version of Kubernetes whose libraries are known: 30 stands for 1.30. */
export const oldestMinor = 30;

/** A text that names no version that is known. */
export class UnknownVersionError extends Error {}

/**
 * The minor version that a text such as `1.37` or `v1.37.1` names.
 *
 * Throws {@link UnknownVersionError}, whose message lists the known ones.
 */
export function parseVersion(text: string): number {
  const minor = /^v?1\.(?<minor>[0-9]+)(?:\.[0-9]+)?$/.exec(text)?.groups?.['minor'];
  const number = minor === undefined ? Number.NaN : Number(minor);
  if (number >= oldestMinor && number <= newestMinor) return number;
  throw new UnknownVersionError(
    `unknown Kubernetes version \`${text}\`; known are 1.${oldestMinor} to 1.${newestMinor}`,
  );
}

/**
 * The version whose libraries new expressions may use: the one before the server's, which so can be
 * rolled back (apiserver's `DefaultCompatibilityVersion`).
 */
export function compatibilityMinor(serverMinor: number): number {
  return serverMinor - 1;
}
