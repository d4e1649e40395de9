import { concatenateBytes, encodeUtf8 } from '@kubeadmit/go';

/** A field of bytes (protobuf wire type 2). */
export function bytesField(number: number, bytes: Uint8Array): Uint8Array {
  return concatenateBytes([varint((number << 3) | 2), varint(bytes.length), bytes]);
}

export function stringField(number: number, text: string): Uint8Array {
  return bytesField(number, encodeUtf8(text));
}

export function messageField(number: number, fields: readonly Uint8Array[]): Uint8Array {
  return bytesField(number, concatenateBytes(fields));
}

/** A number as one of variable length, seven bits a byte. */
export function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest & 0x7f) | 0x80);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
  return Uint8Array.from(bytes);
}
