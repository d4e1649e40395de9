import { requireText, requireValue } from '../arguments.ts';
import * as quotes from '../quote/quote.ts';
import * as codePoints from '../text/code-points.ts';
import * as order from '../text/compare.ts';
import * as cuts from '../text/cut.ts';
import * as utf8 from '../text/utf8.ts';
import { requireBytes } from './bytes.ts';

// What stands here looks at what it is given, and is for everybody. Kubeadmit's packages know what they give, call the
// functions below it all the time, and import those from `internal`.

/**
 * The number of code points of a text (`utf8.RuneCountInString`).
 *
 * @throws TypeError for what is no string
 */
export function codePointCount(text: string): number {
  requireText('codePointCount', text);
  return codePoints.codePointCount(text);
}

/**
 * The number of bytes of a text in UTF-8, which Go's `len` gives.
 *
 * @throws TypeError for what is no string
 */
export function byteLength(text: string): number {
  requireText('byteLength', text);
  return codePoints.byteLength(text);
}

/**
 * Orders two texts by code point, which is the order of their UTF-8 bytes and so Go's (`strings.Compare`): negative,
 * 0 or positive.
 *
 * @throws TypeError for what is no string
 */
export function compareText(left: string, right: string): number {
  requireText('compareText', left);
  requireText('compareText', right);
  return order.compareText(left, right);
}

/**
 * Cuts a text after a number of bytes of UTF-8, as Go's `text[:bytes]`.
 *
 * A character that is cut in the middle ends as U+FFFD for each byte that is left of it, as when Go encodes the rest
 * as JSON.
 *
 * @throws RangeError for a negative number, where Go panics
 * @throws TypeError for what is no string, and no number
 */
export function cutBytes(text: string, bytes: number): string {
  requireText('cutBytes', text);
  requireValue('cutBytes', bytes, 'number', 'a number of bytes');
  return cuts.cutBytes(text, bytes);
}

/**
 * The bytes of a text in UTF-8; a lone surrogate becomes U+FFFD.
 *
 * @throws TypeError for what is no string
 */
export function encodeUtf8(text: string): Uint8Array {
  requireText('encodeUtf8', text);
  return utf8.encodeUtf8(text);
}

/**
 * The text of bytes in UTF-8; `undefined` when they are not valid, as Go's `utf8.Valid`.
 *
 * @throws TypeError for what is no Uint8Array
 */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  requireBytes('decodeUtf8', bytes);
  return utf8.decodeUtf8(bytes);
}

/**
 * Puts a text into double quotes as Go's `strconv.Quote` and its verb `%q` do.
 *
 * Printable characters stay, others become `\a`, `\x01`, `\u200b` or `\U000e0001`. A lone surrogate, which Go reads
 * as U+FFFD, is written as that.
 *
 * @throws TypeError for what is no string
 */
export function quote(text: string): string {
  requireText('quote', text);
  return quotes.quote(text);
}
