import type { Value } from './value.ts';

// The sum of long lists is a view of both, as in cel-go, so that neither long sums nor lists doubled
// again and again take time and memory for all of their elements.

const longestCopied = 256;
const longestPart = 4096;
const longestFlat = 2 ** 24;
const mostReadings = 2 ** 22;

const views = new WeakMap<readonly Value[], ConcatList>();

/** The elements of one list and then those of another; one of them itself where the other is empty. */
export function concatLists(left: readonly Value[], right: readonly Value[]): readonly Value[] {
  if (left.length === 0 || right.length === 0) return left.length === 0 ? right : left;
  if (left.length + right.length <= longestCopied) return [...left, ...right];
  const joined = new ConcatList(left, right);
  const view = new Proxy<Value[]>([], joined);
  views.set(view, joined);
  return view;
}

export function isJoined(list: readonly Value[]): boolean {
  return views.has(list);
}

/** The same elements in an array that engines go through faster, unless there are too many of them. */
export function plainList(list: readonly Value[]): readonly Value[] {
  const joined = list.length <= longestCopied ? undefined : views.get(list);
  return joined !== undefined && list.length <= longestFlat ? joined.flatten() : list;
}

/** Whether a test holds for one of the arrays that a list has been joined from, each of which is tested once. */
export function somePart(
  list: readonly Value[],
  test: (elements: readonly Value[]) => boolean,
): boolean {
  if (list.length <= longestCopied) return test(list);
  const parts = new Set([list]);
  for (const part of parts) {
    const joined = views.get(part);
    if (joined !== undefined) {
      parts.add(joined.left).add(joined.right);
    } else if (test(part)) {
      return true;
    }
  }
  return false;
}

/** Creates the error for reading all elements of a list that is too long. */
export function tooLong(length: number): RangeError {
  return new RangeError(`a list of ${length} elements is too long`);
}

/** Tells an array without elements which ones it has. */
class ConcatList implements ProxyHandler<Value[]> {
  readonly left: readonly Value[];
  readonly right: readonly Value[];
  readonly #leftLength: number;
  readonly #length: number;
  #flat: readonly Value[] | undefined;
  #readings = 0;

  constructor(left: readonly Value[], right: readonly Value[]) {
    this.left = left;
    this.right = right;
    this.#leftLength = left.length;
    this.#length = left.length + right.length;
  }

  get(target: Value[], key: string | symbol): unknown {
    if (key === 'length') return this.#length;
    const index = indexOf(key);
    return index === undefined ? Reflect.get(target, key) : this.#read(index);
  }

  has(target: Value[], key: string | symbol): boolean {
    const index = indexOf(key);
    return index === undefined ? Reflect.has(target, key) : index < this.#length;
  }

  /** An array with all elements, made once. */
  flatten(): readonly Value[] {
    if (this.#flat !== undefined) return this.#flat;
    const elements: Value[] = [];
    const parts = [this.right, this.left];
    for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
      const joined = views.get(part);
      if (joined !== undefined && joined.#flat === undefined) {
        parts.push(joined.right, joined.left);
        continue;
      }
      const flat = joined === undefined ? part : (joined.#flat ?? part);
      for (const element of flat) elements.push(element);
    }
    this.#flat = elements;
    return elements;
  }

  #read(index: number): Value | undefined {
    this.#readings++;
    if (this.#readings > mostReadings) {
      throw tooLong(this.#length);
    }
    // After many elements were read, the others are likely to be read as well.
    return this.#length <= longestFlat && this.#readings * 16 > this.#length
      ? this.flatten()[index]
      : this.#find(index);
  }

  #find(index: number): Value | undefined {
    let position = index;
    let joined: ConcatList = this;
    for (;;) {
      if (joined.#flat !== undefined || joined.#length <= longestPart) {
        return joined.flatten()[position];
      }
      const isLeft = position < joined.#leftLength;
      const side = isLeft ? joined.left : joined.right;
      position -= isLeft ? 0 : joined.#leftLength;
      const within = views.get(side);
      if (within === undefined) return side[position];
      joined = within;
    }
  }
}

function indexOf(key: string | symbol): number | undefined {
  return typeof key === 'string' && /^\d+$/.test(key) ? Number(key) : undefined;
}
