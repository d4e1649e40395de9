import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGzip, gzip } from 'node:zlib';
import {
  type ApiResponse,
  type EncodeOptions,
  encodeEvent,
  encodeParts,
} from '@kubeadmit/apiserver';
import {
  encodeHeader,
  flushHeaders,
  type HttpRequest,
  type HttpResponse,
  isAscii,
  writeAll,
} from './exchange.ts';

/** Shorter answers are not compressed, as in kube-apiserver. */
const leastCompressed = 128 * 1024;
const compress = promisify(gzip);

/** Sends an answer; streams events until they end or the client disconnects. */
export async function writeAnswer(
  { request, response }: Exchanged,
  answer: ApiResponse,
  options: EncodeOptions,
): Promise<void> {
  response.statusCode = answer.status;
  for (const [name, value] of Object.entries(answer.headers)) {
    response.setHeader(
      name,
      typeof value === 'string' ? encodeHeader(value) : value.map(encodeHeader),
    );
  }
  const { body } = answer;
  if (body.type !== 'events') {
    await writeBody({ request, response }, encodeParts(body, options));
    return;
  }
  flushHeaders(response);
  for await (const event of body.events) {
    await writeAll(response, encodeEvent(event, { ...options, mediaType: body.mediaType }));
    if (response.destroyed || response.writableEnded) return;
  }
  response.end();
}

interface Exchanged {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
}

// A short body is sent at once with its length; the parts of a long body are produced while the client reads.
async function writeBody(
  exchanged: Exchanged,
  parts: Iterator<string | Uint8Array, void, undefined>,
): Promise<void> {
  const first = parts.next();
  let next = parts.next();
  if (next.done) {
    await writeWhole(exchanged, first.value ?? '');
    return;
  }
  const begin: Uint8Array[] = [bytesOf(first.value ?? '')];
  let size = begin[0]?.length ?? 0;
  for (; !next.done && size <= leastCompressed; next = parts.next()) {
    const bytes = bytesOf(next.value);
    size += bytes.length;
    begin.push(bytes);
  }
  if (next.done) {
    await writeWhole(exchanged, Buffer.concat(begin));
    return;
  }
  const { value } = next;
  await writeParts(exchanged, following([...begin, value], parts));
}

function bytesOf(part: string | Uint8Array): Uint8Array {
  return typeof part === 'string' ? Buffer.from(part) : part;
}

// A text goes to the socket in one piece with the headers: in UTF-8, which they have to be ASCII for.
async function writeWhole(
  { request, response }: Exchanged,
  body: string | Uint8Array,
): Promise<void> {
  let whole = body;
  let size = typeof whole === 'string' ? Buffer.byteLength(whole) : whole.length;
  if (size > leastCompressed && takesGzip(request.headers['accept-encoding'])) {
    whole = await compress(whole, { level: 1 });
    size = whole.length;
    sayCompressed(response);
  }
  const isEmpty = response.statusCode === 204 || response.statusCode === 304;
  if (!isEmpty) response.setHeader('content-length', size);
  const end = response.end.bind(response) as (chunk?: string | Uint8Array) => void;
  if (request.method === 'HEAD' || isEmpty) end();
  else end(isAscii(String(response.getHeader('warning'))) ? whole : bytesOf(whole));
}

async function writeParts(
  { request, response }: Exchanged,
  parts: Iterable<string | Uint8Array>,
): Promise<void> {
  const isCompressed = takesGzip(request.headers['accept-encoding']);
  if (isCompressed) sayCompressed(response);
  if (isCompressed) {
    const written = Readable.from(parts, { highWaterMark: 1 });
    await pipeline(written, createGzip({ level: 1 }), response);
    return;
  }
  for (const part of parts) {
    await writeAll(response, part);
    if (response.destroyed || response.writableEnded) return;
  }
  response.end();
}

function* following<Item>(
  first: readonly Item[],
  others: Iterator<Item, void, undefined>,
): Generator<Item, void, undefined> {
  yield* first;
  for (let next = others.next(); !next.done; next = others.next()) yield next.value;
}

function sayCompressed(response: HttpResponse): void {
  response.setHeader('content-encoding', 'gzip');
  response.setHeader('vary', 'Accept-Encoding');
}

function takesGzip(header: string | string[] | undefined): boolean {
  return String(header ?? '')
    .split(',')
    .some((part) => /^\s*gzip\s*(?:;(?!\s*q=0(?:\.0*)?\s*$).*)?$/.test(part));
}
