// Engines know of most texts that they have no such unit, and answer without looking at them.
const highSurrogate = /[\ud800-\udbff]/;
const shortText = 8;

/** Counts the code points of a string (`utf8.RuneCountInString`). */
export function codePointCount(text: string): number {
  if (text.length > shortText && !highSurrogate.test(text)) return text.length;
  let pairs = 0;
  for (let index = text.length - 2; index >= 0; index--) {
    if ((text.charCodeAt(index) & 0xfc00) === 0xd800 && isPairAt(text, index)) pairs++;
  }
  return text.length - pairs;
}

function isPairAt(text: string, index: number): boolean {
  return (
    (text.charCodeAt(index) & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00
  );
}

/**
 * The position in UTF-16 units of the code point with the given number, counted from 0;
 * `text.length` for the number of code points, -1 beyond it.
 */
export function unitOffset(text: string, codePoint: number): number {
  let offset = 0;
  for (let left = codePoint; left > 0; left--) {
    if (offset >= text.length) return -1;
    offset += isPairAt(text, offset) ? 2 : 1;
  }
  return offset;
}

/** How many code points there are before a position in UTF-16 units. */
export function codePointsBefore(text: string, offset: number): number {
  let count = 0;
  for (let index = 0; index < offset; count++) index += isPairAt(text, index) ? 2 : 1;
  return count;
}

/** Counts the bytes of a string in UTF-8, as Go's `len`. */
export function byteLength(text: string): number {
  let length = text.length;
  if (length > shortText && !/[^\0-\x7f]/.test(text)) return length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0x80) {
      length += unit < 0x800 ? 1 : 2;
      if (isPairAt(text, index)) index++;
    }
  }
  return length;
}
