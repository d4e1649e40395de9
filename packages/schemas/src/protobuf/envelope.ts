import { concatenateBytes } from '@kubeadmit/go';
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
export function writeEnvelope(names: Omit<Envelope, 'raw'>, raw: Uint8Array): Uint8Array {
  return concatenateBytes([envelopeHead(names, raw.length), raw, envelopeTail]);
}

/** Returns the bytes before a message of the given length. */
export function envelopeHead(
  { apiVersion, kind }: Omit<Envelope, 'raw'>,
  length: number,
): Uint8Array {
  const writer = new WireWriter();
  writer.header(2, length);
  const end = writer.length;
  writer.text(2, kind);
  writer.text(1, apiVersion);
  writer.prefix(1, end);
  return concatenateBytes([Uint8Array.from(magic), writer.finish()]);
}

/** The bytes after a message: neither a content encoding nor a content type. */
export const envelopeTail: Uint8Array = Uint8Array.of(0x1a, 0, 0x22, 0);

/** Reads an envelope. Returns `undefined` if the bytes are not one. Throws `WireError` if it is broken. */
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
