import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * The path that a `file:` URI names. Undefined for a URI that names no path of this system: another scheme, a host such
 * as `wsl.localhost`, or an escaped slash.
 */
export function pathOfUri(uri: string): string | undefined {
  if (!/^file:/i.test(uri)) return undefined;
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}

/** The one URI of a file: editors escape characters that others leave. A URI without a path stays. */
export function canonicalUri(uri: string): string {
  const path = pathOfUri(uri);
  return path === undefined ? uri : pathToFileURL(path).href;
}
