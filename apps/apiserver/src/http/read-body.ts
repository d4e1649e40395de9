import { maximumBodySize, type RequestBody } from '@kubeadmit/apiserver';
import type { HttpRequest } from './exchange.ts';

/** Reads the body of a request up to the API's limit. Rejects if the client disconnects before its end. */
export function readBody(request: HttpRequest): Promise<RequestBody> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > maximumBodySize) return Promise.resolve({ tooLarge: true });
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let size = 0;
    request.on('data', (part: Buffer) => {
      size += part.length;
      if (size > maximumBodySize) {
        parts.length = 0;
        request.pause();
        resolve({ tooLarge: true });
      } else {
        parts.push(part);
      }
    });
    request.on('end', () => resolve({ bytes: Buffer.concat(parts) }));
    request.on('aborted', () => reject(new Error('the client closed the connection')));
    request.on('error', reject);
  });
}

/** Whether a request has a body. */
export function hasBody(request: HttpRequest): boolean {
  const { method, headers } = request;
  if (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0) {
    return true;
  }
  // HTTP/2 needs no header for it.
  return (
    'stream' in request && method !== 'GET' && method !== 'HEAD' && !request.stream.endAfterHeaders
  );
}
