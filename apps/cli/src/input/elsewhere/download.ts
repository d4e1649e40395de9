import { sizeText } from '@kubeadmit/files';
import { ElsewhereError } from './found-text.ts';

/** How much is taken, and how long that may take. */
export interface DownloadLimits {
  readonly maxFileSize: number;
  /** The option that sets the size, for messages; default none. */
  readonly sizeOption?: string;
  /** In milliseconds. */
  readonly timeout: number;
}

/** A request, and whether its answer may redirect it. */
export interface DownloadRequest {
  readonly headers: Readonly<Record<string, string>>;
  /** Makes the request a POST. */
  readonly body?: string;
  /** Whether redirects are followed; required where the request carries credentials that no other address may see. */
  readonly followsRedirects: boolean;
}

/**
 * Requests a URL and returns the response with its bytes.
 *
 * @throws ElsewhereError for a server that does not answer in time, an answer that is too large, and a redirect that is
 *   not followed
 */
export async function download(
  url: string,
  request: DownloadRequest,
  { maxFileSize, sizeOption, timeout }: DownloadLimits,
): Promise<{ readonly response: Response; readonly bytes: Uint8Array }> {
  try {
    const response = await requestSafely(url, request, AbortSignal.timeout(timeout));
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body ?? []) {
      size += chunk.length;
      if (size > maxFileSize) {
        const hint = sizeOption === undefined ? '' : ` (${sizeOption})`;
        throw new ElsewhereError(`larger than ${sizeText(maxFileSize)}${hint}`);
      }
      chunks.push(chunk);
    }
    return { response, bytes: Buffer.concat(chunks) };
  } catch (error) {
    if (error instanceof ElsewhereError) throw error;
    const { message, cause, name } = error as Error;
    const why = name === 'TimeoutError' ? `no response within ${timeout / 1000} s` : message;
    throw new ElsewhereError(cause instanceof Error ? `${why}: ${cause.message}` : why);
  }
}

const mostRedirects = 10;

/**
 * Requests a URL and follows its redirects to other safe URLs; credentials stay with the origin that they are for.
 *
 * @throws ElsewhereError for a redirect that is not followed
 */
async function requestSafely(
  url: string,
  { headers, body, followsRedirects }: DownloadRequest,
  signal: AbortSignal,
): Promise<Response> {
  let address = new URL(url);
  let sent = headers;
  for (let turn = 0; turn <= mostRedirects; turn++) {
    const method = body === undefined ? {} : { method: 'POST', body };
    const response = await fetch(address, { ...method, headers: sent, signal, redirect: 'manual' });
    const location = response.headers.get('location');
    if (location === null || response.status < 300 || response.status >= 400) return response;
    await response.body?.cancel();
    if (!URL.canParse(location, address.href)) {
      throw new ElsewhereError('redirected to an invalid URL');
    }
    const next = new URL(location, address);
    if (!followsRedirects) {
      throw new ElsewhereError(
        `redirected to ${next.origin}; redirects of requests with credentials are not followed`,
      );
    }
    requireSafe(next, address);
    if (next.origin !== address.origin) {
      const { authorization: _password, ...rest } = sent;
      sent = rest;
    }
    address = next;
  }
  throw new ElsewhereError(`redirected more than ${mostRedirects} times`);
}

function requireSafe(next: URL, from: URL): void {
  const isNextLocal = isLocal(next.hostname);
  if (next.protocol !== 'https:' && !(next.protocol === 'http:' && isNextLocal)) {
    throw new ElsewhereError(`redirected to ${next.href}; only https:// URLs are allowed`);
  }
  // Services on this machine trust its users.
  if (isNextLocal && !isLocal(from.hostname)) {
    throw new ElsewhereError(`redirected to this machine (${next.host}) from ${from.host}`);
  }
}

/** Whether a host is this machine, with which plain HTTP is allowed. */
export function isLocal(hostname: string): boolean {
  const host = hostname.replace(/\.$/, '');
  return (
    /^(?:.+\.)?localhost$/.test(host) ||
    // WHATWG URLs write IPv4 addresses with four numbers, and those in IPv6 in hexadecimal.
    /^127(?:\.\d+){3}$/.test(host) ||
    ['0.0.0.0', '[::1]', '[::]'].includes(host) ||
    /^\[::(?:ffff:)?(?:7f[0-9a-f]{2}:[0-9a-f]+|0:0)\]$/.test(host)
  );
}
