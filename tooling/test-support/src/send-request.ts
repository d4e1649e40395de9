import type { IncomingMessage } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { buffer } from 'node:stream/consumers';

/** An answer as it came over the wire. */
export interface Answer extends Pick<IncomingMessage, 'headers' | 'rawHeaders'> {
  readonly code: number;
  readonly body: Buffer;
}

/** Sends a request over HTTPS and HTTP/1.1, and reads its answer to the end. */
export function sendRequest(
  url: string | URL,
  options: RequestOptions,
  body?: string | Uint8Array,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call = request(url, options, (response) => {
      const { statusCode: code = 0, headers, rawHeaders } = response;
      buffer(response).then((all) => resolve({ code, headers, rawHeaders, body: all }), reject);
    });
    call.on('error', reject);
    call.end(body);
  });
}
