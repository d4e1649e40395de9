import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import {
  type ApiResponse,
  type EncodeOptions,
  encodeBody,
  encodeEvent,
} from '@kubeadmit/apiserver';
import { flushHeaders, type HttpRequest, type HttpResponse, writeAll } from './exchange.ts';

/** Shorter answers are not compressed, as with kube-apiserver. */
const leastCompressed = 128 * 1024;
const compress = promisify(gzip);

/** Sends an answer; a stream of events until it ends or the client is gone. */
export async function writeAnswer(
  { request, response }: { readonly request: HttpRequest; readonly response: HttpResponse },
  answer: ApiResponse,
  options: EncodeOptions,
): Promise<void> {
  response.statusCode = answer.status;
  for (const [name, value] of Object.entries(answer.headers)) {
    response.setHeader(name, typeof value === 'string' ? value : [...value]);
  }
  const { body } = answer;
  if (body.type !== 'events') {
    await writeBody({ request, response }, encodeBody(body, options));
    return;
  }
  flushHeaders(response);
  for await (const event of body.events) {
    await writeAll(response, encodeEvent(event, { ...options, mediaType: body.mediaType }));
    if (response.destroyed || response.writableEnded) return;
  }
  response.end();
}

async function writeBody(
  { request, response }: { readonly request: HttpRequest; readonly response: HttpResponse },
  body: string | Uint8Array,
): Promise<void> {
  let bytes: Uint8Array = typeof body === 'string' ? Buffer.from(body) : body;
  if (bytes.length > leastCompressed && takesGzip(request.headers['accept-encoding'])) {
    bytes = await compress(bytes, { level: 1 });
    response.setHeader('content-encoding', 'gzip');
    response.setHeader('vary', 'Accept-Encoding');
  }
  const isEmpty = request.method === 'HEAD' || response.statusCode === 304;
  if (response.statusCode !== 304) response.setHeader('content-length', bytes.length);
  const end = response.end.bind(response) as (chunk?: Uint8Array) => void;
  if (isEmpty) end();
  else end(bytes);
}

function takesGzip(header: string | string[] | undefined): boolean {
  return String(header ?? '')
    .split(',')
    .some((part) => /^\s*gzip\s*(?:;(?!\s*q=0(?:\.0*)?\s*$).*)?$/.test(part));
}
