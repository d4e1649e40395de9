/**
 * Compares two strings by code point, which is the order of their UTF-8 bytes and so Go's (`strings.Compare`):
 * negative, 0 or positive.
 */
export function compareText(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length);
  for (let index = 0; index < shorter; index++) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) return rank(a) - rank(b);
  }
  return left.length - right.length;
}

// Surrogates stand for code points above every other unit.
function rank(unit: number): number {
  return (unit & 0xf800) === 0xd800 ? unit + 0x10000 : unit;
}

/** The own keys of an object in the order of their code points, as Go visits a map that it writes (`%v`, JSON). */
export function sortedKeys(value: object): string[] {
  const keys = Object.keys(value);
  for (let at = 1; at < keys.length; at++) {
    if (compareText(keys[at - 1] ?? '', keys[at] ?? '') > 0) return keys.sort(compareText);
  }
  return keys;
}
