import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { noFileText } from './read-error-text.ts';
import { sizeText } from './size-text.ts';

/** Limits on the files that are read. */
export interface ReadLimits {
  /** The size in bytes above which a file is refused; default 128 MiB. */
  readonly maxSize?: number;
  /** The option that sets `maxSize`, named in the error. */
  readonly sizeOption?: string;
  /** Whether pipes, sockets and devices are refused; default they are read up to `maxSize`. */
  readonly regularOnly?: boolean;
  /** How long a pipe may have no writer before it is refused, in milliseconds; default 5,000. */
  readonly writerTimeout?: number;
}

const defaultMaxSize = 128 * 2 ** 20;

/** Bytes that are read at once where the size is unknown, as of pipes. */
const chunkSize = 2 ** 16;

const defaultWriterTimeout = 5_000;
const pollMilliseconds = 10;

/**
 * Returns the text of a file.
 *
 * @throws Error for a file that cannot be read, is too large, or is not UTF-8
 */
export function readText(file: string, limits: ReadLimits = {}): string {
  return decodeText(readBytes(file, limits));
}

/**
 * Returns the bytes of a file. Reading stops at the limit, so that a device without an end is refused like a large file.
 *
 * @throws Error for a file that cannot be read, is too large, is not a regular file where one is required, or is a pipe
 * that nothing writes to
 */
export function readBytes(file: string, limits: ReadLimits = {}): Uint8Array {
  if (limits.regularOnly === true) requireRegularFile(file);
  // Without this flag, opening a pipe waits for its writer. Windows does not have it.
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    return readDescriptor(descriptor, limits);
  } finally {
    closeSync(descriptor);
  }
}

function requireRegularFile(file: string): void {
  const stats = statSync(file);
  if (!stats.isFile() && !stats.isDirectory()) throw new Error(noFileText);
}

function readDescriptor(descriptor: number, limits: ReadLimits): Uint8Array {
  const { maxSize = defaultMaxSize, sizeOption } = limits;
  const stats = fstatSync(descriptor);
  const { size } = stats;
  const chunks: Uint8Array[] = [];
  let total = size > maxSize ? size : 0;
  if (stats.isFIFO()) chunks.push(firstBytes(descriptor, limits));
  for (const { length } of chunks) total += length;
  while (total <= maxSize) {
    const chunk = Buffer.allocUnsafe(size > total ? size - total : chunkSize);
    const count = readWhenReady(descriptor, chunk);
    if (count === 0) return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, count));
    total += count;
  }
  const option = sizeOption === undefined ? '' : ` (${sizeOption})`;
  throw new Error(`larger than ${sizeText(maxSize)}${option}`);
}

/** The first bytes of a pipe, which looks empty until its writer has opened it. */
function firstBytes(
  descriptor: number,
  { writerTimeout = defaultWriterTimeout }: ReadLimits,
): Buffer {
  const chunk = Buffer.allocUnsafe(chunkSize);
  for (let waited = 0; waited <= writerTimeout; waited += pollMilliseconds) {
    const count = readWhenReady(descriptor, chunk);
    if (count > 0) return chunk.subarray(0, count);
    pause();
  }
  throw new Error(`nothing was written to the pipe within ${writerTimeout / 1000} seconds`);
}

/** Reads, and waits for a writer that has opened the file and has nothing to write yet. */
function readWhenReady(descriptor: number, chunk: Buffer): number {
  for (;;) {
    try {
      return readSync(descriptor, chunk);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      pause();
    }
  }
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pollMilliseconds);
}

/**
 * Decodes bytes as UTF-8.
 *
 * @throws Error that names the encoding or format the bytes seem to have
 */
export function decodeText(bytes: Uint8Array): string {
  if (isUtf16(bytes)) throw notText(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw notText(bytes);
  }
}

function notText(bytes: Uint8Array): Error {
  return new Error(`not UTF-8 text${whatElse(bytes)}`);
}

/** Whether the first two characters are written with two bytes each, as ASCII is in UTF-16: as UTF-8 one would be NUL. */
function isUtf16([first, second, third, fourth]: Uint8Array): boolean {
  const isBigEndian = first === 0 && third === 0 && second !== 0;
  return (second === 0 && fourth === 0 && first !== 0) || isBigEndian;
}

/** The format of other bytes, by the first two. */
function whatElse(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, 2)).toString('hex');
  if (start === 'fffe' || start === 'feff' || isUtf16(bytes)) {
    return ' (it is UTF-16, as PowerShell writes it; save it as UTF-8)';
  }
  if (start === '1f8b')
    return ' (it is compressed with gzip; only .tgz and .tar.gz archives are read)';
  return start === '504b' ? ' (it is a zip archive; only .tar and .tgz are read)' : '';
}
