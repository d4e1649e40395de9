import { expect, test } from 'vitest';
import { decodeBase64 } from '../../src/encoding/base64.ts';
import { gunzip } from '../../src/encoding/gzip.ts';
import { decodeUtf8 } from '../../src/text/utf8.ts';

const compressed = decodeBase64('H4sIAAAAAAAA/8pIzcnJ11FApgABAAD//5+hygkTAAAA') as Uint8Array;

test('reads text that Go wrote', () => {
  const bytes = gunzip(compressed);
  expect('error' in bytes ? bytes.error : decodeUtf8(bytes)).toBe('hello, hello, hello');
});

test.each([
  ['EOF', new Uint8Array()],
  ['unexpected EOF', compressed.subarray(0, 15)],
  ['gzip: invalid header', Uint8Array.from([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])],
  ['gzip: invalid checksum', compressed.with(-5, compressed.at(-5) === 0 ? 1 : 0)],
])('says %j', (error, bytes) => {
  expect(gunzip(bytes)).toEqual({ error });
});
