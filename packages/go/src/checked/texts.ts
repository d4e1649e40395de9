import { requireText, requireValue } from '../arguments.ts';
import * as quotes from '../quote/quote.ts';
import * as codePoints from '../text/code-points.ts';
import * as order from '../text/compare.ts';
import * as cuts from '../text/cut.ts';
import * as utf8 from '../text/utf8.ts';
import { requireBytes } from './bytes.ts';

// Variants that check their arguments, for external callers. Packages of kubeadmit import the functions below from
// `internal`.

/**
 * Counts the code points of a string (`utf8.RuneCountInString`).
 *
 * @throws TypeError if `text` is not a string
 */
export function codePointCount(text: string): number {
  requireText('codePointCount', text);
  return codePoints.codePointCount(text);
}

/**
 * Counts the bytes of a string in UTF-8, as Go's `len`.
 *
 * @throws TypeError if `text` is not a string
 */
export function byteLength(text: string): number {
  requireText('byteLength', text);
  return codePoints.byteLength(text);
}

/**
 * Compares two strings by code point, which is the order of their UTF-8 bytes and so Go's (`strings.Compare`):
 * negative, 0 or positive.
 *
 * @throws TypeError if an argument is not a string
 */
export function compareText(left: string, right: string): number {
  requireText('compareText', left);
  requireText('compareText', right);
  return order.compareText(left, right);
}

/**
 * Cuts a string after a number of bytes of UTF-8, as Go's `text[:bytes]`.
 *
 * A character that is cut in the middle becomes one U+FFFD per remaining byte, as when Go encodes the rest as JSON.
 *
 * @throws RangeError for a negative number, where Go panics
 * @throws TypeError if `text` is not a string, or `bytes` is not a number
 */
export function cutBytes(text: string, bytes: number): string {
  requireText('cutBytes', text);
  requireValue('cutBytes', bytes, 'number', 'a number of bytes');
  return cuts.cutBytes(text, bytes);
}

/**
 * Encodes a string in UTF-8; a lone surrogate becomes U+FFFD.
 *
 * @throws TypeError if `text` is not a string
 */
export function encodeUtf8(text: string): Uint8Array {
  requireText('encodeUtf8', text);
  return utf8.encodeUtf8(text);
}

/**
 * Decodes UTF-8. Returns `undefined` if the bytes are invalid (Go's `utf8.Valid`).
 *
 * @throws TypeError if `bytes` is not a Uint8Array
 */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  requireBytes('decodeUtf8', bytes);
  return utf8.decodeUtf8(bytes);
}

/**
 * Quotes a string as Go's `strconv.Quote` and its verb `%q` do.
 *
 * Printable characters are kept, others become `\a`, `\x01`, `\u200b` or `\U000e0001`. A lone surrogate is written
 * as U+FFFD, as Go reads it.
 *
 * @throws TypeError if `text` is not a string
 */
export function quote(text: string): string {
  requireText('quote', text);
  return quotes.quote(text);
}
