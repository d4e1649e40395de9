import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { TLSSocket } from 'node:tls';

/** A request over HTTP/1.1 or HTTP/2. */
export type HttpRequest = IncomingMessage | Http2ServerRequest;

/** The response to such a request. */
export type HttpResponse = ServerResponse | Http2ServerResponse;

/** The connection of a request; streams of HTTP/2 share one. */
export function socketOf(request: HttpRequest): TLSSocket {
  const session = 'stream' in request ? request.stream.session : undefined;
  return (session?.socket ?? request.socket) as TLSSocket;
}

/** Returns the host that the client addressed: the `Host` header or `:authority`. */
export function authorityOf(request: HttpRequest): string {
  const { headers } = request;
  return String(headers[':authority'] ?? headers.host ?? '');
}

/** The headers of a request by their names in lower case, each line by itself. */
export function headersOf({ rawHeaders }: HttpRequest): Readonly<Record<string, string[]>> {
  const headers: Record<string, string[]> = Object.create(null);
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? '';
    const line = decodeHeader(rawHeaders[at + 1] ?? '');
    const lines = headers[name];
    if (lines === undefined) headers[name] = [line];
    else lines.push(line);
  }
  return headers;
}

/** Decodes a header value as UTF-8; Node returns each of its bytes as a character. */
export function decodeHeader(bytes: string): string {
  return isAscii(bytes) ? bytes : Buffer.from(bytes, 'latin1').toString('utf8');
}

/** Encodes a string in the form that Node expects for header values. */
export function encodeHeader(text: string): string {
  return isAscii(text) ? text : Buffer.from(text, 'utf8').toString('latin1');
}

/** Whether a header means the same in UTF-8 and in Latin-1. */
export function isAscii(header: string): boolean {
  return !/[^\x20-\x7e]/.test(header);
}

/** Writes a chunk; if the buffer is full, waits until it drains or the client disconnects. */
export async function writeAll(response: HttpResponse, chunk: string | Uint8Array): Promise<void> {
  // The types of both kinds of response do not agree on how to call this.
  const write = response.write.bind(response) as (chunk: string | Uint8Array) => boolean;
  if (write(chunk)) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.on('drain', done);
    response.on('close', done);
  });
}

/** Sends the headers now, as the bytes that they are, and not with the first part of the body. */
export function flushHeaders(response: HttpResponse): void {
  const write = response.write.bind(response) as (chunk: Uint8Array) => boolean;
  write(new Uint8Array());
}
