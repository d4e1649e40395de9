import { gunzipSync } from 'node:zlib';
import { unpackTar } from 'modern-tar';
import { ElsewhereError, type FoundText } from './found-text.ts';

/**
 * The files of a tar archive, compressed with gzip or not, in its order; links and folders are passed over. Nothing is
 * written anywhere, so that names which lead out of a folder lead nowhere.
 *
 * @param maxSize the bytes that it may hold unpacked.
 * @throws ElsewhereError for what is no such archive, or not the whole of one.
 */
export async function readArchive(
  packed: Uint8Array,
  maxSize: number,
): Promise<readonly FoundText[]> {
  const entries = await entriesOf(unpack(packed, maxSize));
  if (entries.length === 0) throw new ElsewhereError('the archive is empty');
  return entries.flatMap(({ header: { name, type }, data }) =>
    type === 'file' && data !== undefined
      ? [{ name: name.replace(/^(?:\.\/)+/, ''), bytes: data }]
      : [],
  );
}

async function entriesOf(bytes: Uint8Array) {
  try {
    return await unpackTar(bytes, { strict: true });
  } catch (error) {
    throw new ElsewhereError(`this is no whole tar archive: ${(error as Error).message}`);
  }
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
