import { encodeBase64, encodeUtf8 } from '@kubeadmit/go';
/** The first bytes of a SHA-256 in base64 (apiserver discovery.StorageVersionHash). */
export function storageVersionHash(group: string, version: string, kind: string): string {
  const bytes = sha256(encodeUtf8(`${group}/${version}/${kind}`));
  return encodeBase64(bytes.slice(0, 8));
}

const roundConstants = fractions((prime) => Math.cbrt(prime), 64);
const initialState = fractions((prime) => Math.sqrt(prime), 8);

// The first 32 bits of the fractions of roots of the first primes (FIPS 180-4, 4.2.2 and 5.3.3).
function fractions(root: (prime: number) => number, count: number): readonly number[] {
  const found: number[] = [];
  for (let candidate = 2; found.length < count; candidate++) {
    let isPrime = true;
    for (let factor = 2; factor * factor <= candidate; factor++) {
      if (candidate % factor === 0) isPrime = false;
    }
    if (isPrime) found.push(((root(candidate) % 1) * 2 ** 32) | 0);
  }
  return found;
}

/** The SHA-256 of bytes (FIPS 180-4), in an instant, where the platform's own takes a promise. */
export function sha256(message: Uint8Array): Uint8Array {
  const padded = new Uint8Array((((message.length + 8) >> 6) + 1) << 6);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 4, message.length << 3);
  view.setUint32(padded.length - 8, Math.floor(message.length / 2 ** 29));
  const state = [...initialState];
  for (let start = 0; start < padded.length; start += 64) addBlock(state, view, start);
  const digest = new Uint8Array(32);
  const out = new DataView(digest.buffer);
  for (const [i, word] of state.entries()) out.setInt32(i * 4, word);
  return digest;
}

function addBlock(state: number[], view: DataView, start: number): void {
  const words: number[] = [];
  for (let i = 0; i < 16; i++) words.push(view.getInt32(start + i * 4));
  for (let i = 16; i < 64; i++) {
    const a = words[i - 15] ?? 0;
    const b = words[i - 2] ?? 0;
    const s0 = rotate(a, 7) ^ rotate(a, 18) ^ (a >>> 3);
    const s1 = rotate(b, 17) ^ rotate(b, 19) ^ (b >>> 10);
    words.push(((words[i - 16] ?? 0) + s0 + (words[i - 7] ?? 0) + s1) | 0);
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const choice = (e & f) ^ (~e & g);
    const first = (h + s1 + choice + (roundConstants[i] ?? 0) + (words[i] ?? 0)) | 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + s0 + majority) | 0];
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries())
    state[i] = ((state[i] ?? 0) + word) | 0;
}

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}
