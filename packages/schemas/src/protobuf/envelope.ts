import { WireReader } from './wire-reader.ts';
import { WireWriter } from './wire-writer.ts';

/** The bytes in front of every enveloped object: `k8s` and zero. */
const magic: readonly number[] = [0x6b, 0x38, 0x73, 0x00];

/** An object as bytes with the names of its kind (`runtime.Unknown`). */
export interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  readonly raw: Uint8Array;
}

/** Puts the envelope around the message of an object. */
export function writeEnvelope(
  { apiVersion, kind }: Omit<Envelope, 'raw'>,
  raw: Uint8Array,
): Uint8Array {
  const writer = new WireWriter();
  writer.text(4, '');
  writer.text(3, '');
  writer.bytes(2, raw);
  const end = writer.length;
  writer.text(2, kind);
  writer.text(1, apiVersion);
  writer.prefix(1, end);
  const message = writer.finish();
  const bytes = new Uint8Array(magic.length + message.length);
  bytes.set(magic);
  bytes.set(message, magic.length);
  return bytes;
}

/** What an envelope holds; undefined where the bytes are none. Throws `WireError` for a broken one. */
export function readEnvelope(bytes: Uint8Array): Envelope | undefined {
  if (magic.some((byte, index) => bytes[index] !== byte)) return undefined;
  let apiVersion = '';
  let kind = '';
  let raw: Uint8Array = new Uint8Array();
  const reader = new WireReader(bytes, magic.length);
  while (reader.next()) {
    if (reader.number === 2) {
      raw = reader.bytes();
    } else if (reader.number === 1) {
      const names = reader.message();
      while (names.next()) {
        if (names.number === 1) apiVersion = names.text();
        else if (names.number === 2) kind = names.text();
        else names.skip();
      }
    } else {
      reader.skip();
    }
  }
  return { apiVersion, kind, raw };
}
