import { mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { getOrMake } from '@kubeadmit/base';
import { writing } from '../input/streams.ts';

/** Characters that are kept in memory: few enough that most are gone before V8 takes them for lasting. */
const mostInMemory = 1_000_000;

/**
 * Bytes of the file that are given away at once: longer strings would lie outside of V8's heap, which is tidied up
 * late.
 */
const atOnce = 2 ** 16;

/** A part of the temporary file, in bytes. */
interface Stretch {
  readonly at: number;
  readonly length: number;
}

/**
 * Texts that can only be written after others, by keys: in memory while they are few, then in a temporary file, so that
 * reports of any length need no more memory. Whatever cannot be written throws a CommandFailure.
 */
export class HeldTexts {
  readonly #limit: number;
  readonly #held = new Map<string, (string | Stretch)[]>();
  #inMemory = 0;
  #file: number | undefined;
  #length = 0;
  #bytes = Buffer.alloc(0);

  /** @param limit how many characters are kept in memory. */
  constructor(limit: number = mostInMemory) {
    this.#limit = limit;
  }

  /** The keys of the stored texts, in their order of arrival. */
  get keys(): readonly string[] {
    return [...this.#held.keys()];
  }

  /** Holds a text behind those of its key. */
  hold(key: string, text: string): void {
    if (text === '') return;
    getOrMake(this.#held, key, () => []).push(text);
    this.#inMemory += text.length;
    if (this.#inMemory > this.#limit) this.#lay();
  }

  /** Gives away the texts of a key, in their order and in pieces. */
  *take(key: string): Generator<string> {
    const own = this.#held.get(key) ?? [];
    this.#held.delete(key);
    for (const each of own) {
      if (typeof each === 'string') {
        this.#inMemory -= each.length;
        yield each;
      } else {
        yield* this.#read(each);
      }
    }
  }

  /** Puts everything that is in memory into the file. */
  #lay(): void {
    for (const own of this.#held.values()) {
      const first = own.findLastIndex((each) => typeof each !== 'string') + 1;
      if (first < own.length) own.push(this.#write(own.splice(first).join('')));
    }
    this.#inMemory = 0;
  }

  #write(text: string): Stretch {
    const bytes = this.#bytesFor(Buffer.byteLength(text));
    const length = bytes.write(text);
    const at = this.#length;
    writing(tmpdir(), () => {
      this.#file ??= temporaryFile();
      for (let done = 0; done < length; ) {
        done += writeSync(this.#file, bytes, done, length - done, at + done);
      }
    });
    this.#length += length;
    return { at, length };
  }

  *#read({ at, length }: Stretch): Generator<string> {
    const bytes = this.#bytesFor(atOnce);
    const decoder = new StringDecoder('utf8');
    for (let done = 0; done < length && this.#file !== undefined; ) {
      const count = readSync(this.#file, bytes, 0, Math.min(atOnce, length - done), at + done);
      if (count === 0) throw new Error('the temporary file was truncated');
      yield decoder.write(bytes.subarray(0, count));
      done += count;
    }
  }

  /** Returns the buffer that all reads and writes share: V8 would release separate ones late. */
  #bytesFor(length: number): Buffer {
    if (this.#bytes.length < length) this.#bytes = Buffer.allocUnsafeSlow(length);
    return this.#bytes;
  }
}

/** An open file that is gone when the program ends. */
function temporaryFile(): number {
  const folder = mkdtempSync(join(tmpdir(), 'kubeadmit-'));
  const file = openSync(join(folder, 'held'), 'wx+', 0o600);
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  // Windows keeps the names of open files.
  if (process.platform === 'win32') process.once('exit', remove);
  else remove();
  return file;
}
