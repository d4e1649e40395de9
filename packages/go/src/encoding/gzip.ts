import { lazily } from '@kubeadmit/base';

/** The reason why bytes are not gzip, with Go's message. */
export interface GzipError {
  readonly error: string;
}

/** Invalid gzip, with the message of Go's reader. Never leaves `gunzip`. */
class Corrupt extends Error {}

/** How many bytes a text may become. */
const sizeLimit = 64 * 1024 * 1024;
const longestCode = 15;
const lengthBases = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
  163, 195, 227, 258,
];
const lengthBits = [
  0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
];
const distanceBases = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049,
  3073, 4097, 6145, 8193, 12289, 16385, 24577,
];
/** The order in which the lengths of the codes of lengths are written. */
const codeLengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/**
 * Decompresses gzip, all members one after the other. Returns Go's message if the data is invalid.
 *
 * Libraries and the browsers' streams do not report the byte at which the data is invalid, as Go's message does,
 * and the streams are asynchronous.
 */
export function gunzip(bytes: Uint8Array): Uint8Array | GzipError {
  const reader = new Reader(bytes);
  try {
    if (bytes.length === 0) return { error: 'EOF' };
    do reader.member();
    while (!reader.isAtEnd);
    return reader.output;
  } catch (problem) {
    if (problem instanceof Corrupt) return { error: problem.message };
    throw problem;
  }
}

/** How many codes there are of each length, and their symbols in order. */
interface Codes {
  readonly counts: Uint16Array;
  readonly symbols: Uint16Array;
}

/** The codes of a block: of literals and lengths, and of distances. */
interface BlockCodes {
  readonly lengths: Codes;
  readonly distances: Codes;
}

class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;
  /** Where the compressed part of the member begins. */
  #start = 0;
  #bits = 0;
  #bitCount = 0;
  #written: Uint8Array = new Uint8Array(1024);
  #size = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  get output(): Uint8Array {
    return this.#written.subarray(0, this.#size);
  }

  /** Reads a member (RFC 1952). */
  member(): void {
    this.#header();
    const begin = this.#size;
    this.#start = this.#at;
    this.#bitCount = 0;
    while (!this.#block(begin));
    this.#bitCount = 0;
    const content = this.#written.subarray(begin, this.#size);
    const isRight = this.#number() === checksum(content);
    if (this.#number() !== content.length % 2 ** 32 || !isRight) {
      throw new Corrupt('gzip: invalid checksum');
    }
  }

  #header(): void {
    const begin = this.#at;
    if (this.#bytes.length - begin < 10) throw new Corrupt('unexpected EOF');
    const [first, second, method, flags = 0] = this.#bytes.subarray(begin, begin + 4);
    if (first !== 0x1f || second !== 0x8b || method !== 8) {
      throw new Corrupt('gzip: invalid header');
    }
    this.#at += 10;
    if ((flags & 4) !== 0) {
      const length = this.#byte() | (this.#byte() << 8);
      for (let step = 0; step < length; step++) this.#byte();
    }
    for (const flag of [8, 16]) {
      if ((flags & flag) === 0) continue;
      while (this.#byte() !== 0);
    }
    if ((flags & 2) === 0) return;
    const sum = checksum(this.#bytes.subarray(begin, this.#at)) & 0xffff;
    if ((this.#byte() | (this.#byte() << 8)) !== sum) throw new Corrupt('gzip: invalid header');
  }

  #number(): number {
    let value = 0;
    for (let step = 0; step < 4; step++) value += this.#byte() * 2 ** (8 * step);
    return value;
  }

  #byte(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw new Corrupt('unexpected EOF');
    this.#at++;
    return byte;
  }

  #take(count: number): number {
    while (this.#bitCount < count) {
      this.#bits |= this.#byte() << this.#bitCount;
      this.#bitCount += 8;
    }
    const value = this.#bits & ((1 << count) - 1);
    this.#bits >>>= count;
    this.#bitCount -= count;
    return value;
  }

  /** Reads a block (RFC 1951); true for the last one. */
  #block(begin: number): boolean {
    if (this.#bitCount === 0) this.#bits = 0;
    const isLast = this.#take(1) === 1;
    const type = this.#take(2);
    if (type === 0) this.#stored();
    else if (type === 1) this.#compressed(fixedCodes(), begin);
    else if (type === 2) this.#compressed(this.#codes(), begin);
    else throw this.#corrupt();
    return isLast;
  }

  #stored(): void {
    this.#bits = 0;
    this.#bitCount = 0;
    const length = this.#byte() | (this.#byte() << 8);
    const complement = this.#byte() | (this.#byte() << 8);
    if ((length ^ 0xffff) !== complement) throw this.#corrupt();
    for (let step = 0; step < length; step++) this.#write(this.#byte());
  }

  #codes(): BlockCodes {
    const literals = this.#take(5) + 257;
    const distances = this.#take(5) + 1;
    const count = this.#take(4) + 4;
    if (literals > 286 || distances > 30) throw this.#corrupt();
    const ofLengths = new Uint8Array(19);
    for (let at = 0; at < count; at++) ofLengths[codeLengthOrder[at] ?? 0] = this.#take(3);
    const codes = this.#made(ofLengths);
    const lengths = new Uint8Array(literals + distances);
    for (let at = 0; at < lengths.length; ) {
      const symbol = this.#symbol(codes);
      if (symbol < 16) {
        lengths[at++] = symbol;
        continue;
      }
      if (symbol === 16 && at === 0) throw this.#corrupt();
      const repeated = symbol === 16 ? (lengths[at - 1] ?? 0) : 0;
      const times =
        symbol === 16 ? 3 + this.#take(2) : symbol === 17 ? 3 + this.#take(3) : 11 + this.#take(7);
      if (at + times > lengths.length) throw this.#corrupt();
      lengths.fill(repeated, at, at + times);
      at += times;
    }
    return {
      lengths: this.#made(lengths.subarray(0, literals)),
      distances: this.#made(lengths.subarray(literals)),
    };
  }

  /** Codes must be complete, as for Go, but for a single one of one bit. */
  #made(lengths: Uint8Array): Codes {
    const codes = codesOf(lengths);
    let left = 1;
    let used = 0;
    for (let length = 1; length <= longestCode; length++) {
      left = left * 2 - (codes.counts[length] ?? 0);
      used += codes.counts[length] ?? 0;
      if (left < 0) throw this.#corrupt();
    }
    const isSingle = used === 1 && codes.counts[1] === 1;
    if (left > 0 && used > 0 && !isSingle) throw this.#corrupt();
    return codes;
  }

  #compressed({ lengths, distances }: BlockCodes, begin: number): void {
    for (;;) {
      const symbol = this.#symbol(lengths);
      if (symbol < 256) {
        this.#write(symbol);
        continue;
      }
      if (symbol === 256) return;
      const base = lengthBases[symbol - 257];
      if (base === undefined) throw this.#corrupt();
      const length = base + this.#take(lengthBits[symbol - 257] ?? 0);
      const place = this.#symbol(distances);
      const from = distanceBases[place];
      if (from === undefined) throw this.#corrupt();
      const distance = from + this.#take(Math.max(0, (place >> 1) - 1));
      if (distance > this.#size - begin) throw this.#corrupt();
      for (let step = 0; step < length; step++) {
        this.#write(this.#written[this.#size - distance] ?? 0);
      }
    }
  }

  #symbol({ counts, symbols }: Codes): number {
    let code = 0;
    let first = 0;
    let index = 0;
    for (let length = 1; length <= longestCode; length++) {
      code |= this.#take(1);
      const count = counts[length] ?? 0;
      if (code - count < first) return symbols[index + code - first] ?? 0;
      index += count;
      first = (first + count) * 2;
      code *= 2;
    }
    throw this.#corrupt();
  }

  #write(byte: number): void {
    if (this.#size >= sizeLimit) throw new Corrupt(`more than ${sizeLimit} bytes`);
    if (this.#size === this.#written.length) {
      const larger = new Uint8Array(this.#size * 2);
      larger.set(this.#written);
      this.#written = larger;
    }
    this.#written[this.#size++] = byte;
  }

  #corrupt(): Corrupt {
    return new Corrupt(`flate: corrupt input before offset ${this.#at - this.#start}`);
  }
}

function codesOf(lengths: Uint8Array): Codes {
  const counts = new Uint16Array(longestCode + 1);
  for (const length of lengths) if (length > 0) counts[length] = (counts[length] ?? 0) + 1;
  const offsets = new Uint16Array(longestCode + 2);
  for (let length = 1; length <= longestCode; length++) {
    offsets[length + 1] = (offsets[length] ?? 0) + (counts[length] ?? 0);
  }
  const symbols = new Uint16Array(lengths.length);
  for (const [symbol, length] of lengths.entries()) {
    if (length === 0) continue;
    symbols[offsets[length] ?? 0] = symbol;
    offsets[length] = (offsets[length] ?? 0) + 1;
  }
  return { counts, symbols };
}

/** The fixed codes, which no block contains. */
const fixedCodes = lazily(
  (): BlockCodes => ({
    lengths: codesOf(
      Uint8Array.from({ length: 288 }, (_, at) => (at < 144 ? 8 : at < 256 ? 9 : at < 280 ? 7 : 8)),
    ),
    distances: codesOf(new Uint8Array(32).fill(5)),
  }),
);

/** The CRC-32 of bytes. */
function checksum(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return (sum ^ 0xffffffff) >>> 0;
}
