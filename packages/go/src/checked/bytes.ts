import { describeValue, type OptionKind, requireOptions, requireText } from '../arguments.ts';
import * as base64 from '../encoding/base64.ts';

/**
 * Requires an argument to be bytes.
 *
 * @throws TypeError with the name of the function, and what it got
 */
export function requireBytes(call: string, value: unknown): void {
  if (value instanceof Uint8Array) return;
  throw new TypeError(`${call} takes bytes as a Uint8Array, not ${describeValue(value)}`);
}

const base64Options: Readonly<Record<keyof base64.Base64Options, OptionKind>> = {
  isRaw: 'boolean',
  isUrl: 'boolean',
};

/**
 * Encodes bytes, or a string in UTF-8, by default in the standard alphabet with padding (`base64.StdEncoding`).
 *
 * @throws TypeError if `data` is neither bytes nor a string, or an option is unknown
 */
export function encodeBase64(
  data: Uint8Array | string,
  options: base64.Base64Options = {},
): string {
  if (typeof data !== 'string' && !(data instanceof Uint8Array)) {
    const given = describeValue(data);
    throw new TypeError(`encodeBase64 takes bytes as a Uint8Array or a string, not ${given}`);
  }
  requireOptions('encodeBase64', options, base64Options);
  return base64.encodeBase64(data, options);
}

/**
 * Decodes base64 as Go's `base64.StdEncoding`, or the encoding that the options name. Line ends are skipped, and
 * unused bits of the last group are ignored. Returns Go's error for invalid input.
 *
 * @throws TypeError if `text` is not a string, or an option is unknown
 */
export function decodeBase64(
  text: string,
  options: base64.Base64Options = {},
): Uint8Array | base64.Base64Error {
  requireText('decodeBase64', text);
  requireOptions('decodeBase64', options, base64Options);
  return base64.decodeBase64(text, options);
}
