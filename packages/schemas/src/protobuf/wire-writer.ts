import { encodeUtf8 } from '@kubeadmit/go';

/**
 * Writes the wire format of protocol buffers from the end to the beginning, as Kubernetes' generated code does, so that
 * the length of a message is known when its header is written.
 */
export class WireWriter {
  #bytes = new Uint8Array(512);
  /** The position of the first written byte. */
  #start = 512;

  /** How many bytes are written. */
  get length(): number {
    return this.#bytes.length - this.#start;
  }

  finish(): Uint8Array {
    return this.#bytes.slice(this.#start);
  }

  /** Writes the header of the bytes written since `length` was `end`: field number and length. */
  prefix(number: number, end: number): void {
    this.header(number, this.length - end);
  }

  /** The header of so many bytes that are written elsewhere. */
  header(number: number, length: number): void {
    this.varint(length);
    this.varint(number * 8 + 2);
  }

  text(number: number, value: string): void {
    const end = this.length;
    this.#reserve(value.length * 3);
    for (let at = value.length - 1; at >= 0; at--) {
      const code = value.charCodeAt(at);
      if (code < 0x80) this.#bytes[--this.#start] = code;
      else at = this.#character(value, at);
    }
    this.prefix(number, end);
  }

  bytes(number: number, value: Uint8Array): void {
    const end = this.length;
    this.#reserve(value.length);
    this.#start -= value.length;
    this.#bytes.set(value, this.#start);
    this.prefix(number, end);
  }

  /** A varint field; negative integers take ten bytes, whatever their Go type. */
  integer(number: number, value: number | bigint): void {
    if (typeof value === 'bigint' || value < 0 || value > Number.MAX_SAFE_INTEGER) {
      this.#longVarint(BigInt.asUintN(64, BigInt(value)));
    } else {
      this.varint(value);
    }
    this.varint(number * 8);
  }

  double(number: number, value: number): void {
    this.#reserve(8);
    this.#start -= 8;
    new DataView(this.#bytes.buffer).setFloat64(this.#start, value, true);
    this.varint(number * 8 + 1);
  }

  varint(value: number): void {
    let length = 1;
    for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) length++;
    this.#reserve(length);
    this.#start -= length;
    let rest = value;
    for (let at = 0; at < length; at++) {
      this.#bytes[this.#start + at] = (rest % 0x80) + (at < length - 1 ? 0x80 : 0);
      rest = Math.floor(rest / 0x80);
    }
  }

  #longVarint(value: bigint): void {
    const bytes: number[] = [];
    let rest = value;
    for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
    bytes.push(Number(rest));
    this.#reserve(bytes.length);
    this.#start -= bytes.length;
    this.#bytes.set(bytes, this.#start);
  }

  /** Writes the character that ends at `at`; returns the index of its first unit. */
  #character(value: string, at: number): number {
    const isPair = at > 0 && isLow(value.charCodeAt(at)) && isHigh(value.charCodeAt(at - 1));
    const first = isPair ? at - 1 : at;
    const encoded = encodeUtf8(value.slice(first, at + 1));
    this.#start -= encoded.length;
    this.#bytes.set(encoded, this.#start);
    return first;
  }

  #reserve(length: number): void {
    if (this.#start >= length) return;
    const used = this.length;
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, used + length));
    grown.set(this.#bytes.subarray(this.#start), grown.length - used);
    this.#bytes = grown;
    this.#start = grown.length - used;
  }
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}
