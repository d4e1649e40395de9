/** How two strings compare by code point: negative, zero or positive, as Go compares their bytes. */
export function compareText(left: string, right: string): number {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at++) {
    const a = left.charCodeAt(at);
    const b = right.charCodeAt(at);
    if (a !== b) return isSurrogate(a) === isSurrogate(b) ? a - b : isSurrogate(a) ? 1 : -1;
  }
  return left.length - right.length;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

/** The own keys of an object in the order of their code points. */
export function sortedKeys(value: object): string[] {
  const keys = Object.keys(value);
  for (let at = 1; at < keys.length; at++) {
    if (compareText(keys[at - 1] ?? '', keys[at] ?? '') > 0) return keys.sort(compareText);
  }
  return keys;
}
