import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { TLSSocket } from 'node:tls';

/** A request over HTTP/1.1 or HTTP/2. */
export type HttpRequest = IncomingMessage | Http2ServerRequest;

/** Its answer. */
export type HttpResponse = ServerResponse | Http2ServerResponse;

/** The connection of a request; streams of HTTP/2 share one. */
export function socketOf(request: HttpRequest): TLSSocket {
  const session = 'stream' in request ? request.stream.session : undefined;
  return (session?.socket ?? request.socket) as TLSSocket;
}

/** What a client calls the server: the `Host` header or `:authority`. */
export function authorityOf(request: HttpRequest): string {
  const { headers } = request;
  return String(headers[':authority'] ?? headers.host ?? '');
}

/** Writes and waits until the client has taken it or is gone. */
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

/** Sends the headers now, and not with the first part of the body. */
export function flushHeaders(response: HttpResponse): void {
  // Responses of HTTP/2 have it too, which their types do not say.
  (response as ServerResponse).flushHeaders();
}
