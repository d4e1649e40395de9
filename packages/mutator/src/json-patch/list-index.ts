import { quote } from '@kubeadmit/go';

/** An index into a list, or the error. */
export type Index = { readonly index: number } | { readonly error: string };

/** The index of an element that is there; negative ones count from the end. */
export function existingIndex(list: readonly unknown[], segment: string): Index {
  const parsed = parseIndex(segment);
  if ('error' in parsed) return parsed;
  const { index } = parsed;
  if (typeof index === 'bigint' || index >= list.length || index < -list.length) {
    return invalidIndex(index);
  }
  return { index: index < 0 ? index + list.length : index };
}

/** The index at which an element is inserted; `-` and -1 stand for the end. */
export function insertionIndex(list: readonly unknown[], segment: string): Index {
  if (segment === '-') return { index: list.length };
  const parsed = parseIndex(segment);
  if ('error' in parsed) {
    return { error: `value was not a proper array index: '${segment}': ${parsed.error}` };
  }
  const { index } = parsed;
  const size = list.length + 1;
  if (typeof index === 'bigint' || index >= size || index < -size) return invalidIndex(index);
  return { index: index < 0 ? index + size : index };
}

/** evanphx/json-patch's message for an index outside the list. */
export function invalidIndex(index: number | bigint): { readonly error: string } {
  return { error: `Unable to access invalid index: ${index}: invalid index referenced` };
}

/** The number in a segment, as Go's `strconv.Atoi` reads it: a bigint where no list is so long. */
export function parseIndex(
  segment: string,
): { readonly index: number | bigint } | { readonly error: string } {
  if (!/^[+-]?[0-9]+$/.test(segment)) {
    return { error: `strconv.Atoi: parsing ${quote(segment)}: invalid syntax` };
  }
  const number = Number(segment);
  if (Number.isSafeInteger(number)) return { index: number };
  const exact = BigInt(segment.replace(/^\+/, ''));
  if (BigInt.asIntN(64, exact) !== exact) {
    return { error: `strconv.Atoi: parsing ${quote(segment)}: value out of range` };
  }
  // Such indexes are outside every list and are used only in messages.
  return { index: exact };
}
