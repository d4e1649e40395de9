import { daysInMonth } from '../time/civil-time.ts';
import { binaryText } from './binary-text.ts';

/** An element of DER. */
export interface DerElement {
  /** The first byte: class, constructed or not, and number. */
  readonly tag: number;
  /** The element with its tag and length. */
  readonly raw: Uint8Array;
  /** The bytes after the tag and the length. */
  readonly content: Uint8Array;
}

/** Bits with how many of them count, as Go's `asn1.BitString`. */
export interface BitString {
  readonly bytes: Uint8Array;
  /** In bits. */
  readonly length: number;
}

/**
 * Reads DER, element by element, as strictly as Go's `cryptobyte.String`. If an element is absent, has another tag or
 * is not encoded canonically, the result is `undefined` and the reader does not advance.
 */
export class DerReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Whether nothing is left. */
  get isEmpty(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** Whether the next element has this tag. */
  isNext(tag: number): boolean {
    return this.#bytes[this.#at] === tag;
  }

  /** The next element, whatever it is. */
  readAny(): DerElement | undefined {
    const tag = this.#bytes[this.#at];
    const header = this.#header();
    if (tag === undefined || header === undefined) return undefined;
    const start = this.#at + header.size;
    const end = start + header.length;
    if (end > this.#bytes.length) return undefined;
    const raw = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return { tag, raw, content: raw.subarray(header.size) };
  }

  /** Size of tag and length, and the length, in bytes. Numbers above 30 have no place in certificates. */
  #header(): { readonly size: number; readonly length: number } | undefined {
    const [tag, first] = [this.#bytes[this.#at], this.#bytes[this.#at + 1]];
    if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) return undefined;
    if (first < 0x80) return { size: 2, length: first };
    const lengthBytes = first & 0x7f;
    if (lengthBytes === 0 || lengthBytes > 4) return undefined;
    let length = 0;
    for (let step = 0; step < lengthBytes; step++) {
      length = length * 256 + (this.#bytes[this.#at + 2 + step] ?? Number.NaN);
    }
    const isShortest = length >= 128 && length >= 256 ** (lengthBytes - 1);
    return isShortest ? { size: 2 + lengthBytes, length } : undefined;
  }

  /** The next element, which has this tag. */
  read(tag: number): DerElement | undefined {
    return this.isNext(tag) ? this.readAny() : undefined;
  }

  /** Opens the next element, which must have this tag. */
  open(tag: number = derTags.sequence): DerReader | undefined {
    const element = this.read(tag);
    return element && new DerReader(element.content);
  }

  /** An integer of any size, under its own tag or one of the context. */
  readInteger(tag: number = derTags.integer): bigint | undefined {
    const content = this.read(tag)?.content;
    if (content?.[0] === undefined) return undefined;
    const second = content[1];
    const isPadded =
      second !== undefined && content[0] === (second >= 0x80 ? 0xff : 0) && content.length > 1;
    if (isPadded) return undefined;
    const value = numberOf(content, 8);
    return content[0] >= 0x80 ? value - (1n << BigInt(content.length * 8)) : value;
  }

  /** True or false, in the one byte that DER has for each. */
  readBoolean(): boolean | undefined {
    const content = this.read(derTags.boolean)?.content;
    if (content?.length !== 1 || (content[0] !== 0 && content[0] !== 0xff)) return undefined;
    return content[0] === 0xff;
  }

  /** The arcs of an object identifier, each below 2^31. */
  readIdentifier(): readonly number[] | undefined {
    const content = this.read(derTags.identifier)?.content;
    const arcs = content && identifierArcs(content);
    return arcs !== undefined && areSmall(arcs) ? arcs : undefined;
  }

  /** Bits; those of the last byte that do not count are zero. */
  readBits(): BitString | undefined {
    const content = this.read(derTags.bitString)?.content;
    const padding = content?.[0];
    if (content === undefined || padding === undefined || padding > 7) return undefined;
    const bytes = content.subarray(1);
    const last = bytes.at(-1);
    if (last === undefined ? padding !== 0 : (last & ((1 << padding) - 1)) !== 0) return undefined;
    return { bytes, length: bytes.length * 8 - padding };
  }

  /** Reads a UTC time (1950 to 2049) or a generalized time as RFC 3339. */
  readTime(): string | undefined {
    const isUtc = this.isNext(derTags.utcTime);
    const content = this.read(isUtc ? derTags.utcTime : derTags.generalizedTime)?.content;
    if (content === undefined) return undefined;
    return rfc3339((isUtc ? utcTime : generalizedTime).exec(binaryText(content)));
  }
}

/** Tags that certificates have. */
export const derTags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octets: 0x04,
  identifier: 0x06,
  utf8: 0x0c,
  numeric: 0x12,
  printable: 0x13,
  t61: 0x14,
  ia5: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  bmp: 0x1e,
  sequence: 0x30,
  set: 0x31,
} as const;

/** An arc of an object identifier; a bigint where numbers are not exact. */
export type IdentifierArc = bigint | number;

/** Whether all arcs are below 2^31, as Go's `asn1.ObjectIdentifier` holds them. */
export function areSmall(arcs: readonly IdentifierArc[]): arcs is readonly number[] {
  return arcs.every((arc) => arc < 2 ** 31);
}

/** The arcs that the bytes of an object identifier are; `undefined` where one is not written as short as it goes. */
export function identifierArcs(content: Uint8Array): readonly IdentifierArc[] | undefined {
  const arcs: IdentifierArc[] = [];
  let start = 0;
  for (let at = 0; at < content.length; at++) {
    const byte = content[at] ?? 0;
    if (at === start && byte === 0x80) return undefined;
    if (byte >= 0x80) continue;
    const value = numberOf(content.subarray(start, at + 1), 7);
    if (arcs.length > 0) arcs.push(arcOf(value));
    else if (value < 80n) arcs.push(Number(value / 40n), Number(value % 40n));
    else arcs.push(2, arcOf(value - 80n));
    start = at + 1;
  }
  return arcs.length > 0 && start === content.length ? arcs : undefined;
}

function arcOf(value: bigint): IdentifierArc {
  return value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
}

/** The number whose digits are the last bits of each byte. As a text, since a bigint that grows is copied each time. */
function numberOf(bytes: Uint8Array, bits: 7 | 8): bigint {
  const digits = Array.from(bytes, (byte) => (byte | 0x100).toString(2).slice(-bits));
  return BigInt(`0b${digits.join('')}`);
}

/** Bits moved so that the last one that counts ends a byte (Go's `BitString.RightAlign`). */
export function rightAligned({ bytes, length }: BitString): Uint8Array {
  const shift = bytes.length * 8 - length;
  if (shift === 0) return bytes;
  return bytes.map((byte, at) => (byte >> shift) | ((bytes[at - 1] ?? 0) << (8 - shift)));
}

const utcTime = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?(Z|[+-]\d{4})$/;
const generalizedTime = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(Z|[+-]\d{4})$/;

function rfc3339(found: RegExpExecArray | null): string | undefined {
  if (found === null) return undefined;
  const [, written = '', month, day, hour, minute, second = '00', zone = ''] = found;
  const year = (written.length === 4 ? '' : Number(written) >= 50 ? '19' : '20') + written;
  const hours = Number(zone.slice(1, 3));
  const isMonth = Number(month) >= 1 && Number(month) <= 12;
  const days = daysInMonth(Number(year), Number(month));
  const isDate = isMonth && Number(day) >= 1 && Number(day) <= days;
  const isTime = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60;
  // An offset of nothing is written Z.
  const isZone =
    zone === 'Z' || (hours < 25 && Number(zone.slice(3)) < 60 && !/^[+-]0000$/.test(zone));
  if (!isDate || !isTime || !isZone) return undefined;
  const offset = zone === 'Z' ? zone : `${zone.slice(0, 3)}:${zone.slice(3)}`;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`;
}
