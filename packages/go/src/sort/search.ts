/**
 * The smallest number from 0 to `count` for which something is true, where it is true for all greater ones (Go's
 * `sort.Search`); `count` where it is true for none.
 */
export function search(count: number, isTrue: (index: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isTrue(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
