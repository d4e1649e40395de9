import { decodeUtf8Leniently } from '@kubeadmit/go';
/** The error of an invalid message, with the message of Kubernetes' generated code. */
export class WireError extends Error {}

const cutOff = 'unexpected EOF';

/** Reads the fields of one message in the wire format of protocol buffers, one after the other. */
export class WireReader {
  readonly #bytes: Uint8Array;
  #at: number;
  readonly #end: number;
  /** The number of the field that {@link next} found. */
  number = 0;
  #wireType = 0;

  constructor(bytes: Uint8Array, start = 0, end: number = bytes.length) {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
  }

  /** Goes to the next field; false at the end. Throws {@link WireError}, as all that follows. */
  next(): boolean {
    if (this.#at >= this.#end) return false;
    const tag = this.#varint();
    this.number = Number(tag >> 3n);
    this.#wireType = Number(tag & 7n);
    if (this.number <= 0)
      throw new WireError(`proto: illegal tag ${this.number} (wire type ${tag})`);
    return true;
  }

  /** The integer of the field, exact: a bigint beyond 2^53. */
  integer(): number | bigint {
    this.#expect(0);
    const value = BigInt.asIntN(64, this.#varint());
    const small = Number(value);
    return Number.isSafeInteger(small) ? small : value;
  }

  double(): number {
    this.#expect(1);
    const at = this.#take(8);
    return new DataView(this.#bytes.buffer, this.#bytes.byteOffset).getFloat64(at, true);
  }

  /** The message of the field. */
  message(): WireReader {
    const [start, end] = this.#range();
    return new WireReader(this.#bytes, start, end);
  }

  bytes(): Uint8Array {
    const [start, end] = this.#range();
    return this.#bytes.subarray(start, end);
  }

  text(): string {
    const [start, end] = this.#range();
    return decodeUtf8Leniently(this.#bytes.subarray(start, end));
  }

  /** Whether the field holds a sequence of bytes: a packed list where single numbers are expected. */
  get isSequence(): boolean {
    return this.#wireType === 2;
  }

  /** The integers of a packed list. */
  packed(): (number | bigint)[] {
    const inner = this.message();
    const values: (number | bigint)[] = [];
    inner.#wireType = 0;
    while (inner.#at < inner.#end) values.push(inner.integer());
    return values;
  }

  skip(): void {
    if (this.#wireType === 0) this.#varint();
    else if (this.#wireType === 1) this.#take(8);
    else if (this.#wireType === 2) this.#range();
    else if (this.#wireType === 5) this.#take(4);
    else throw new WireError(`proto: illegal wireType ${this.#wireType}`);
  }

  #expect(wireType: number): void {
    if (this.#wireType === wireType) return;
    throw new WireError(`proto: wrong wireType = ${this.#wireType} for field ${this.number}`);
  }

  #range(): readonly [start: number, end: number] {
    this.#expect(2);
    const length = Number(this.#varint());
    const start = this.#take(length);
    return [start, start + length];
  }

  #take(length: number): number {
    const start = this.#at;
    if (length > this.#end - start) throw new WireError(cutOff);
    this.#at = start + length;
    return start;
  }

  #varint(): bigint {
    let low = 0;
    for (let shift = 1; shift <= 0x80 ** 3; shift *= 0x80) {
      const byte = this.#byte();
      low += (byte & 0x7f) * shift;
      if (byte < 0x80) return BigInt(low);
    }
    let value = BigInt(low);
    for (let shift = 28n; shift < 70n; shift += 7n) {
      const byte = this.#byte();
      value += BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new WireError('proto: integer overflow');
  }

  #byte(): number {
    if (this.#at >= this.#end) throw new WireError(cutOff);
    return this.#bytes[this.#at++] as number;
  }
}
