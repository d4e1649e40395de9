/** Bytes that are no DER. Never leaves the functions that read certificates. */
export class Asn1Error extends Error {}

/** An element of DER. */
export interface Asn1Element {
  readonly tag: number;
  /** The element with its tag and length. */
  readonly raw: Uint8Array;
  readonly content: Uint8Array;
}

/** Reads the elements that stand one behind the other. */
export function readElements(bytes: Uint8Array): readonly Asn1Element[] {
  const elements: Asn1Element[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at] ?? 0;
    const first = bytes[at + 1] ?? 0;
    const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
    if (lengthBytes > 4) throw new Asn1Error('length too large');
    let length = first < 0x80 ? first : 0;
    for (let step = 0; step < lengthBytes; step++)
      length = length * 256 + (bytes[at + 2 + step] ?? 0);
    const start = at + 2 + lengthBytes;
    if (start + length > bytes.length) throw new Asn1Error('element too long');
    elements.push({
      tag,
      raw: bytes.subarray(at, start + length),
      content: bytes.subarray(start, start + length),
    });
    at = start + length;
  }
  return elements;
}

/** The elements inside an element, which must have a tag. */
export function childrenOf(element: Asn1Element | undefined, tag = 0x30): readonly Asn1Element[] {
  if (element?.tag !== tag) throw new Asn1Error('unexpected element');
  return readElements(element.content);
}

/** The number that an integer's bytes are. */
export function toInteger({ content }: Asn1Element): bigint {
  let value = 0n;
  for (const byte of content) value = (value << 8n) | BigInt(byte);
  return BigInt.asIntN(content.length * 8, value);
}

/** The arcs of an object identifier. */
export function toIdentifier({ content }: Asn1Element): readonly number[] {
  const arcs: number[] = [];
  let value = 0;
  for (const byte of content) {
    value = value * 128 + (byte & 0x7f);
    if (byte >= 0x80) continue;
    if (arcs.length === 0)
      arcs.push(
        Math.min(Math.trunc(value / 40), 2),
        value - 40 * Math.min(Math.trunc(value / 40), 2),
      );
    else arcs.push(value);
    value = 0;
  }
  return arcs;
}

/** The text of a string element. */
export function toText({ tag, content }: Asn1Element): string {
  if (tag === 0x1e) return new TextDecoder('utf-16be').decode(content);
  return new TextDecoder().decode(content);
}

/** A UTC or generalized time as RFC 3339. */
export function toTime(element: Asn1Element): string {
  const digits = toText(element);
  const full =
    element.tag === 0x17 ? `${Number(digits.slice(0, 2)) >= 50 ? '19' : '20'}${digits}` : digits;
  const match = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(full);
  if (match === null) throw new Asn1Error('not a time');
  const [, year, month, day, hour, minute, second] = match;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}Z`;
}
