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
    const asked = body === undefined ? {} : { method: 'POST', body };
    const response = await fetch(url, { ...asked, headers, signal });
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
