import { encodeUtf8 } from '@kubeadmit/go/internal';
/** One after another. */
export function join(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** A field of bytes (protobuf wire type 2). */
export function bytesField(number: number, bytes: Uint8Array): Uint8Array {
  return join([varint((number << 3) | 2), varint(bytes.length), bytes]);
}

/** A field that is a text. */
export function stringField(number: number, text: string): Uint8Array {
  return bytesField(number, encodeUtf8(text));
}

/** A field that is a message. */
export function messageField(number: number, fields: readonly Uint8Array[]): Uint8Array {
  return bytesField(number, join(fields));
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest & 0x7f) | 0x80);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
  return Uint8Array.from(bytes);
}
