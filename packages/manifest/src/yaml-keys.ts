/** The longest key in bytes that is written without `?`. */
export const longestKey = 128;

/** The members that are written, in order. */
export function keysOf(object: Readonly<Record<string, unknown>>): readonly string[] {
  const keys = Object.keys(object).filter((key) => object[key] !== undefined);
  if (keys.every((key) => onlyLetters.test(key))) return keys.sort();
  return keys.sort(compareKeys);
}

const onlyLetters = /^[A-Za-z]*$/;

const letter = /\p{L}/u;

// goyaml.v2 `keyList.Less`: numbers within keys count as numbers, and letters come last.
function compareKeys(first: string, second: string): number {
  const [a, b] = [[...first], [...second]];
  for (const [i, own] of a.entries()) {
    const other = b[i];
    if (other === undefined) return 1;
    if (own === other) continue;
    const isLetter = letter.test(own);
    const isOtherLetter = letter.test(other);
    if (isLetter && isOtherLetter) return codeOf(own) - codeOf(other);
    if (isLetter || isOtherLetter) return isOtherLetter ? -1 : 1;
    const isWithinNumber =
      (own === '0' || other === '0') && /[1-9]\d*$/.test(a.slice(0, i).join(''));
    const [number, digits] = numberAt(a, i, isWithinNumber);
    const [otherNumber, otherDigits] = numberAt(b, i, isWithinNumber);
    if (number !== otherNumber) return number < otherNumber ? -1 : 1;
    return digits - otherDigits || codeOf(own) - codeOf(other);
  }
  return a.length - b.length;
}

function numberAt(
  characters: readonly string[],
  start: number,
  isWithinNumber: boolean,
): readonly [bigint, number] {
  const [digits = ''] = /^\d*/.exec(characters.slice(start).join('')) ?? [];
  return [BigInt(`${isWithinNumber ? '1' : ''}${digits}` || '0'), digits.length];
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}
