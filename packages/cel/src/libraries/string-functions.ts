import { codePointCount } from '@kubeadmit/go';
import { codePointsBefore, unitOffset } from '@kubeadmit/go/unstable-internal';
import { CelError } from '../values/value.ts';

/** An index of CEL: any int, also beyond the length of a string. */
type Index = number | bigint;

function outOfRange(index: Index): CelError {
  return new CelError(`index out of range: ${index}`);
}

/** The offset in UTF-16 units of an index that may also be the end; -1 when it is outside. */
function offsetOf(text: string, index: Index): number {
  return typeof index === 'bigint' || index < 0 || index > text.length
    ? -1
    : unitOffset(text, index);
}

/** `text.charAt(index)`: one character, or the empty string at the end of the text. */
export function charAt(text: string, index: Index): string | CelError {
  const offset = offsetOf(text, index);
  if (offset === -1) return outOfRange(index);
  const code = text.codePointAt(offset);
  return code === undefined ? '' : String.fromCodePoint(code);
}

/** `text.indexOf(part, from)`: the first position at or after `from`, or -1. */
export function indexOf(text: string, part: string, from: Index): number | CelError {
  if (from < 0) return outOfRange(from);
  const offset = offsetOf(text, from);
  if (part === '') return offset === -1 ? codePointCount(text) : Number(from);
  const found = offset === -1 ? -1 : text.indexOf(part, offset);
  return found === -1 ? -1 : codePointsBefore(text, found);
}

/** `text.lastIndexOf(part)`: the last position, or -1. */
export function lastIndexOf(text: string, part: string): number {
  const found = text.lastIndexOf(part);
  return found === -1 ? -1 : codePointsBefore(text, found);
}

/** `text.lastIndexOf(part, from)`: the last position at or before `from`, or -1. */
export function lastIndexOfFrom(text: string, part: string, from: Index): number | CelError {
  if (from < 0) return outOfRange(from);
  const offset = offsetOf(text, from);
  if (part === '') return offset === -1 ? codePointCount(text) : Number(from);
  // cel-go finds nothing from the end or beyond it.
  if (offset === -1 || offset === text.length) return -1;
  const found = text.lastIndexOf(part, offset);
  return found === -1 ? -1 : codePointsBefore(text, found);
}

/** `text.substring(start)`. */
export function substringFrom(text: string, start: Index): string | CelError {
  const offset = offsetOf(text, start);
  return offset === -1 ? outOfRange(start) : text.slice(offset);
}

/** `text.substring(start, end)`. */
export function substring(text: string, start: Index, end: Index): string | CelError {
  if (start > end) return new CelError(`invalid substring range. start: ${start}, end: ${end}`);
  const from = offsetOf(text, start);
  if (from === -1) return outOfRange(start);
  const to = offsetOf(text, end);
  return to === -1 ? outOfRange(end) : text.slice(from, to);
}

/** `text.replace(old, replacement, limit)`: all occurrences when the limit is negative. */
export function replace(text: string, old: string, replacement: string, limit: Index): string {
  if (limit < 0) {
    return old === ''
      ? insertBetween(text, replacement, Number.POSITIVE_INFINITY)
      : text.replaceAll(old, literal(replacement));
  }
  const count = Number(limit);
  if (old === '') return insertBetween(text, replacement, count);
  let result = '';
  let start = 0;
  for (let done = 0; done < count; done++) {
    const found = text.indexOf(old, start);
    if (found === -1) break;
    result += text.slice(start, found) + replacement;
    start = found + old.length;
  }
  return result + text.slice(start);
}

// A dollar sign is a plain character, and not a reference to the match.
function literal(replacement: string): string {
  return replacement.includes('$') ? replacement.replaceAll('$', '$$$$') : replacement;
}

// As Go's strings.Replace of the empty string: before each character and at the end.
function insertBetween(text: string, insertion: string, limit: number): string {
  let result = '';
  let done = 0;
  let start = 0;
  for (const character of text) {
    if (done === limit) return result + text.slice(start);
    result += insertion + character;
    start += character.length;
    done++;
  }
  return done < limit ? result + insertion : result;
}

/** `text.split(separator, limit)`: at most `limit` pieces, the last with the rest; all when negative. */
export function split(text: string, separator: string, limit: Index): string[] {
  if (limit === 0) return [];
  const count = limit < 0 ? Number.POSITIVE_INFINITY : Number(limit);
  if (separator === '') return splitCharacters(text, count);
  if (count === Number.POSITIVE_INFINITY) return text.split(separator);
  const pieces: string[] = [];
  let start = 0;
  while (pieces.length < count - 1) {
    const found = text.indexOf(separator, start);
    if (found === -1) break;
    pieces.push(text.slice(start, found));
    start = found + separator.length;
  }
  pieces.push(text.slice(start));
  return pieces;
}

function splitCharacters(text: string, count: number): string[] {
  const pieces: string[] = [];
  let start = 0;
  for (const character of text) {
    if (pieces.length === count - 1) {
      pieces.push(text.slice(start));
      return pieces;
    }
    pieces.push(character);
    start += character.length;
  }
  return pieces;
}

const upperLetter = /[A-Z]/;
const lowerLetter = /[a-z]/;
const beyondAscii = /[\u0080-\uffff]/;

/** `text.lowerAscii()`: the letters A to Z in lower case; other characters are unchanged. */
export function lowerAscii(text: string): string {
  if (!upperLetter.test(text)) return text;
  return beyondAscii.test(text)
    ? text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
    : text.toLowerCase();
}

/** `text.upperAscii()`: the letters a to z in upper case; other characters are unchanged. */
export function upperAscii(text: string): string {
  if (!lowerLetter.test(text)) return text;
  return beyondAscii.test(text)
    ? text.replace(/[a-z]+/g, (letters) => letters.toUpperCase())
    : text.toUpperCase();
}
