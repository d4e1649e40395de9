import { ElsewhereError } from './found-text.ts';

/** How much is taken, and how long that may take. */
export interface DownloadLimits {
  readonly maxFileSize: number;
  /** In milliseconds. */
  readonly timeout: number;
}

/**
 * Gets what is at an address, or what it answers to a body.
 *
 * @throws ElsewhereError where nobody answers in time, or more comes than is taken.
 */
export async function download(
  url: string,
  headers: Readonly<Record<string, string>>,
  { maxFileSize, timeout }: DownloadLimits,
  body?: string,
): Promise<{ readonly response: Response; readonly bytes: Uint8Array }> {
  try {
    const signal = AbortSignal.timeout(timeout);
    const response =
      body === undefined
        ? await getSafely(url, headers, signal)
        : await fetch(url, { method: 'POST', body, headers, signal });
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body ?? []) {
      size += chunk.length;
      if (size > maxFileSize) {
        throw new ElsewhereError(`larger than ${maxFileSize} bytes (--max-file-size)`);
      }
      chunks.push(chunk);
    }
    return { response, bytes: Buffer.concat(chunks) };
  } catch (error) {
    if (error instanceof ElsewhereError) throw error;
    const { message, cause, name } = error as Error;
    const why = name === 'TimeoutError' ? `no answer in ${timeout / 1000} s` : message;
    throw new ElsewhereError(cause instanceof Error ? `${why}: ${cause.message}` : why);
  }
}

const mostRedirects = 10;

/** Gets what is at an address or where it leads to, which must be as safe, and is not told the password of another host. */
async function getSafely(
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Response> {
  let address = new URL(url);
  let told = headers;
  for (let turn = 0; turn <= mostRedirects; turn++) {
    const response = await fetch(address, { headers: told, signal, redirect: 'manual' });
    const location = response.headers.get('location');
    if (location === null || response.status < 300 || response.status >= 400) return response;
    await response.body?.cancel();
    const next = new URL(location, address);
    if (next.protocol !== 'https:' && !isLocal(next.hostname)) {
      throw new ElsewhereError(`it leads to ${next.href}, and only https:// addresses are read`);
    }
    if (next.host !== address.host) {
      const { authorization: _password, ...rest } = told;
      told = rest;
    }
    address = next;
  }
  throw new ElsewhereError(`it leads from one address to another more than ${mostRedirects} times`);
}

/** Whether a name is this machine's, to which plain HTTP is good enough. */
export function isLocal(hostname: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
