import { maximumBodySize, type RequestBody } from '@kubeadmit/apiserver';
import type { HttpRequest } from './exchange.ts';

/** The time for a body to arrive, as for a request of kube-apiserver. HTTP/2 has no separate limit. */
const bodyMilliseconds = 60_000;

/** Reads the body of a request up to the API's limit. Rejects if the client disconnects before its end, or is too slow. */
export function readBody(request: HttpRequest): Promise<RequestBody> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > maximumBodySize) return Promise.resolve({ tooLarge: true });
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let size = 0;
    const tooSlow = setTimeout(() => {
      reject(new Error('aborted: the body did not arrive in time'));
      request.destroy();
    }, bodyMilliseconds);
    const settle = (act: () => void): void => {
      clearTimeout(tooSlow);
      act();
    };
    request.on('data', (part: Buffer) => {
      size += part.length;
      if (size > maximumBodySize) {
        parts.length = 0;
        request.pause();
        settle(() => resolve({ tooLarge: true }));
      } else {
        parts.push(part);
      }
    });
    request.on('end', () => settle(() => resolve({ bytes: Buffer.concat(parts) })));
    request.on('aborted', () =>
      settle(() => reject(new Error('the client closed the connection'))),
    );
    request.on('error', (error) => settle(() => reject(error)));
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
