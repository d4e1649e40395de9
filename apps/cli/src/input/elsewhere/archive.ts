import { gunzipSync } from 'node:zlib';
import { ElsewhereError, type FoundText } from './found-text.ts';

const blockSize = 512;

/**
 * The files of a tar archive (POSIX ustar with pax and GNU names), compressed with gzip or not, in its order; links and
 * folders are passed over.
 *
 * @param maxSize the bytes that it may hold unpacked.
 * @throws ElsewhereError for what is no such archive.
 */
export function readArchive(packed: Uint8Array, maxSize: number): readonly FoundText[] {
  const bytes = unpack(packed, maxSize);
  const files: FoundText[] = [];
  let longName: string | undefined;
  for (let at = 0; at + blockSize <= bytes.length; ) {
    const header = bytes.subarray(at, at + blockSize);
    if (header.every((byte) => byte === 0)) return files;
    checkSum(header);
    const size = octal(header, 124, 12);
    const start = at + blockSize;
    const content = bytes.subarray(start, start + size);
    if (content.length < size) throw new ElsewhereError('the archive is cut off');
    at = start + Math.ceil(size / blockSize) * blockSize;
    const type = String.fromCharCode(header[156] ?? 0);
    if (type === 'L') longName = field(content, 0, size);
    else if (type === 'x') longName = paxPath(content) ?? longName;
    else {
      const prefix = field(header, 257, 5) === 'ustar' ? field(header, 345, 155) : '';
      const own = field(header, 0, 100);
      const name = longName ?? (prefix === '' ? own : `${prefix}/${own}`);
      longName = undefined;
      if (type === '0' || type === '\0')
        files.push({ name: name.replace(/^\.\//, ''), bytes: content });
    }
  }
  if (files.length === 0) throw new ElsewhereError('the archive is empty or cut off');
  return files;
}

function unpack(packed: Uint8Array, maxSize: number): Uint8Array {
  if (packed[0] !== 0x1f || packed[1] !== 0x8b) return packed;
  try {
    return gunzipSync(packed, { maxOutputLength: Math.min(maxSize, 2 ** 31) });
  } catch (error) {
    const isLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw new ElsewhereError(
      isLarge
        ? `the archive holds more than ${maxSize} bytes (--max-file-size)`
        : `the archive is no gzip: ${(error as Error).message}`,
    );
  }
}

function checkSum(header: Uint8Array): void {
  let sum = 0;
  for (const [i, byte] of header.entries()) sum += i >= 148 && i < 156 ? 32 : byte;
  if (sum !== octal(header, 148, 8)) throw new ElsewhereError('this is no tar archive');
}

function field(bytes: Uint8Array, start: number, length: number): string {
  const text = Buffer.from(bytes.subarray(start, start + length)).toString('utf8');
  const end = text.indexOf('\0');
  return end < 0 ? text : text.slice(0, end);
}

function octal(bytes: Uint8Array, start: number, length: number): number {
  const text = field(bytes, start, length).trim();
  if (!/^[0-7]*$/.test(text)) throw new ElsewhereError('this is no tar archive');
  return text === '' ? 0 : Number.parseInt(text, 8);
}

/** The path of a pax header: records `LENGTH KEY=VALUE` with a line end. */
function paxPath(content: Uint8Array): string | undefined {
  const text = Buffer.from(content).toString('utf8');
  return /(?:^|\n)\d+ path=([^\n]*)\n/.exec(text)?.[1];
}
