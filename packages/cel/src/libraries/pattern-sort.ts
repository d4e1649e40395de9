/**
 * Sorts in place exactly as Go's `sort.Slice`: pattern-defeating quicksort, including its order of equal elements.
 * Needs about n log n comparisons for any input.
 */
export function patternSort<Item>(
  items: Item[],
  isLess: (left: Item, right: Item) => boolean,
): void {
  new PatternSorter(items, isLess).sort(0, items.length, bitLength(items.length));
}

const mostForInsertion = 12;
const fewestForMedian = 8;
const fewestForNinther = 50;
const fewestForShifting = 50;
const mostShifts = 5;
const mostPivotSwaps = 12;

interface Pivot {
  readonly at: number;
  /** The order that choosing the pivot observed. */
  readonly hint: 'decreasing' | 'increasing' | 'unknown';
}

class PatternSorter<Item> {
  readonly #items: Item[];
  readonly #isLess: (left: Item, right: Item) => boolean;

  constructor(items: Item[], isLess: (left: Item, right: Item) => boolean) {
    this.#items = items;
    this.#isLess = isLess;
  }

  /** Sorts from `from` to before `to`; after `limit` bad partitions by heap. */
  sort(from: number, to: number, limit: number): void {
    let start = from;
    let end = to;
    let badChoices = limit;
    let wasBalanced = true;
    let wasPartitioned = true;
    while (end - start > mostForInsertion) {
      if (badChoices === 0) {
        this.#heapSort(start, end);
        return;
      }
      if (!wasBalanced) {
        this.#breakPatterns(start, end);
        badChoices--;
      }
      let { at, hint } = this.#choosePivot(start, end);
      if (hint === 'decreasing') {
        this.#reverse(start, end);
        at = end - 1 - (at - start);
        hint = 'increasing';
      }
      if (wasBalanced && wasPartitioned && hint === 'increasing') {
        if (this.#repair(start, end)) return;
      }
      if (start > 0 && !this.#less(start - 1, at)) {
        start = this.#partitionEqual(start, end, at);
        continue;
      }
      const { middle, already } = this.#partition(start, end, at);
      wasPartitioned = already;
      const left = middle - start;
      const right = end - middle;
      const least = Math.floor((end - start) / 8);
      // The shorter side is sorted by recursion, so that the stack stays small.
      if (left < right) {
        wasBalanced = left >= least;
        this.sort(start, middle, badChoices);
        start = middle + 1;
      } else {
        wasBalanced = right >= least;
        this.sort(middle + 1, end, badChoices);
        end = middle;
      }
    }
    this.#insertionSort(start, end);
  }

  #less(left: number, right: number): boolean {
    return this.#isLess(this.#items[left] as Item, this.#items[right] as Item);
  }

  #swap(left: number, right: number): void {
    const item = this.#items[left] as Item;
    this.#items[left] = this.#items[right] as Item;
    this.#items[right] = item;
  }

  #insertionSort(start: number, end: number): void {
    for (let index = start + 1; index < end; index++) {
      for (let at = index; at > start && this.#less(at, at - 1); at--) this.#swap(at, at - 1);
    }
  }

  #heapSort(start: number, end: number): void {
    const size = end - start;
    for (let root = Math.floor((size - 1) / 2); root >= 0; root--)
      this.#siftDown(root, size, start);
    for (let last = size - 1; last >= 0; last--) {
      this.#swap(start, start + last);
      this.#siftDown(0, last, start);
    }
  }

  #siftDown(top: number, size: number, start: number): void {
    let root = top;
    for (let child = 2 * root + 1; child < size; child = 2 * root + 1) {
      if (child + 1 < size && this.#less(start + child, start + child + 1)) child++;
      if (!this.#less(start + root, start + child)) return;
      this.#swap(start + root, start + child);
      root = child;
    }
  }

  /** Puts the smaller elements before the pivot and all others behind it. */
  #partition(
    start: number,
    end: number,
    pivot: number,
  ): { readonly middle: number; readonly already: boolean } {
    this.#swap(start, pivot);
    let left = start + 1;
    let right = end - 1;
    let already = true;
    for (;;) {
      while (left <= right && this.#less(left, start)) left++;
      while (left <= right && !this.#less(right, start)) right--;
      if (left > right) break;
      already = false;
      this.#swap(left++, right--);
    }
    this.#swap(right, start);
    return { middle: right, already };
  }

  /** Moves the elements that equal the pivot to the front; none is smaller. Returns the index of the first larger element. */
  #partitionEqual(start: number, end: number, pivot: number): number {
    this.#swap(start, pivot);
    let left = start + 1;
    let right = end - 1;
    for (;;) {
      while (left <= right && !this.#less(start, left)) left++;
      while (left <= right && this.#less(start, right)) right--;
      if (left > right) return left;
      this.#swap(left++, right--);
    }
  }

  /** Sorts an almost sorted list; false if it is not almost sorted. */
  #repair(start: number, end: number): boolean {
    let at = start + 1;
    for (let shifts = 0; shifts < mostShifts; shifts++) {
      while (at < end && !this.#less(at, at - 1)) at++;
      if (at === end) return true;
      if (end - start < fewestForShifting) return false;
      this.#swap(at, at - 1);
      if (at - start >= 2) {
        for (let left = at - 1; left >= 1 && this.#less(left, left - 1); left--) {
          this.#swap(left, left - 1);
        }
      }
      if (end - at >= 2) {
        for (let right = at + 1; right < end && this.#less(right, right - 1); right++) {
          this.#swap(right, right - 1);
        }
      }
    }
    return false;
  }

  /** Moves some elements about, by numbers that depend on the length alone. */
  #breakPatterns(start: number, end: number): void {
    const length = end - start;
    let random = BigInt(length);
    const mask = (1n << BigInt(bitLength(length))) - 1n;
    const middle = start + Math.floor(length / 4) * 2;
    for (let at = middle - 1; at <= middle + 1; at++) {
      random ^= BigInt.asUintN(64, random << 13n);
      random ^= random >> 7n;
      random ^= BigInt.asUintN(64, random << 17n);
      const other = Number(random & mask);
      this.#swap(at, start + (other >= length ? other - length : other));
    }
  }

  #choosePivot(start: number, end: number): Pivot {
    const length = end - start;
    const quarter = Math.floor(length / 4);
    const counter = { swaps: 0 };
    let [first, second, third] = [start + quarter, start + quarter * 2, start + quarter * 3];
    if (length >= fewestForMedian) {
      if (length >= fewestForNinther) {
        first = this.#median(first - 1, first, first + 1, counter);
        second = this.#median(second - 1, second, second + 1, counter);
        third = this.#median(third - 1, third, third + 1, counter);
      }
      second = this.#median(first, second, third, counter);
    }
    const { swaps } = counter;
    return {
      at: second,
      hint: swaps === 0 ? 'increasing' : swaps === mostPivotSwaps ? 'decreasing' : 'unknown',
    };
  }

  #median(a: number, b: number, c: number, counter: { swaps: number }): number {
    let [low, middle, high] = [a, b, c];
    [low, middle] = this.#inOrder(low, middle, counter);
    [middle, high] = this.#inOrder(middle, high, counter);
    [low, middle] = this.#inOrder(low, middle, counter);
    return middle;
  }

  #inOrder(left: number, right: number, counter: { swaps: number }): readonly [number, number] {
    if (!this.#less(right, left)) return [left, right];
    counter.swaps++;
    return [right, left];
  }

  #reverse(start: number, end: number): void {
    for (let left = start, right = end - 1; left < right; left++, right--) this.#swap(left, right);
  }
}

function bitLength(value: number): number {
  return 32 - Math.clz32(value);
}
