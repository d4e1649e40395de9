import { sizeText } from '@kubeadmit/files';
import { type Connection, isLocal, publicConnection } from './connection.ts';

/** Why a URL cannot be read; the message is for users. */
export class DownloadError extends Error {}

/** No response: the server cannot be reached, or does not answer in time. */
export class UnreachableError extends DownloadError {}

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
 * @throws DownloadError for a server that does not answer in time, an answer that is too large, and a redirect that is
 *   not followed
 */
export async function download(
  url: string,
  request: DownloadRequest,
  { maxFileSize, sizeOption, timeout }: DownloadLimits,
  connection: Connection = publicConnection,
): Promise<{ readonly response: Response; readonly bytes: Uint8Array }> {
  const signal = AbortSignal.timeout(timeout);
  try {
    const response = await requestSafely(url, request, signal, connection);
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body ?? []) {
      size += chunk.length;
      if (size > maxFileSize) {
        const hint = sizeOption === undefined ? '' : ` (${sizeOption})`;
        throw new DownloadError(`larger than ${sizeText(maxFileSize)}${hint}`);
      }
      chunks.push(chunk);
    }
    return { response, bytes: Buffer.concat(chunks) };
  } catch (error) {
    if (error instanceof DownloadError) throw error;
    if (signal.aborted) throw new UnreachableError(`no response within ${timeout / 1000} s`);
    const { message, cause } = error as Error;
    throw new UnreachableError(cause instanceof Error ? `${message}: ${cause.message}` : message);
  }
}

const mostRedirects = 10;

/**
 * Requests a URL and follows its redirects to other safe URLs; credentials stay with the origin that they are for.
 *
 * @throws DownloadError for a redirect that is not followed
 */
async function requestSafely(
  url: string,
  { headers, body, followsRedirects }: DownloadRequest,
  signal: AbortSignal,
  { fetch, isTrusted }: Connection,
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
      throw new DownloadError('redirected to an invalid URL');
    }
    const next = new URL(location, address);
    if (!followsRedirects) {
      throw new DownloadError(
        `redirected to ${next.origin}; redirects of requests with credentials are not followed`,
      );
    }
    requireSafe(next, address, isTrusted);
    if (next.origin !== address.origin) {
      const { authorization: _password, ...rest } = sent;
      sent = rest;
    }
    address = next;
  }
  throw new DownloadError(`redirected more than ${mostRedirects} times`);
}

function requireSafe(next: URL, from: URL, isTrusted: Connection['isTrusted']): void {
  const isNextTrusted = isTrusted(next);
  if (next.protocol !== 'https:' && !(next.protocol === 'http:' && isNextTrusted)) {
    throw new DownloadError(`redirected to ${next.href}; only https:// URLs are allowed`);
  }
  // Services on this machine trust its users.
  if (isNextTrusted && !isTrusted(from)) {
    const place = isLocal(next.hostname) ? 'this machine' : 'a host without encryption';
    throw new DownloadError(`redirected to ${place} (${next.host}) from ${from.host}`);
  }
}
