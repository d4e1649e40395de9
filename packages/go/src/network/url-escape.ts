import { quote, quoteBytes as quoteArray } from '../quote/quote.ts';
import { decodeUtf8Leniently, encodeUtf8 } from '../text/utf8.ts';

// Everything here works on byte strings: one character for each byte of UTF-8, as Go's strings.

/** The part of a URL that is escaped; each leaves other characters as they are. */
export type UrlPart = 'fragment' | 'host' | 'password' | 'path' | 'query' | 'zone';

/** Why a URL cannot be parsed, in the words of Go's net/url. */
export interface UrlError {
  readonly error: string;
}

const plainOf: Readonly<Record<UrlPart, RegExp>> = {
  fragment: /[A-Za-z0-9._~!$&()*+,/:;=?@-]/,
  host: /[A-Za-z0-9._~!"$&'()*+,:;<=>[\]-]/,
  password: /[A-Za-z0-9._~$&+,;=-]/,
  path: /[A-Za-z0-9._~$&+,/:;=@-]/,
  query: /[A-Za-z0-9._~-]/,
  zone: /[A-Za-z0-9._~!"$&'()*+,:;<=>[\]-]/,
};

const plainTexts = Object.fromEntries(
  Object.entries(plainOf).map(([part, plain]) => [part, new RegExp(`^${plain.source}*$`)]),
) as Readonly<Record<UrlPart, RegExp>>;

const ascii = /^[\0-\x7f]*$/;

/** The bytes of a text, one character each. */
export function byteString(text: string): string {
  if (ascii.test(text)) return text;
  let bytes = '';
  for (const byte of encodeUtf8(text)) bytes += String.fromCharCode(byte);
  return bytes;
}

function bytesOf(byteText: string): Uint8Array {
  return Uint8Array.from(byteText, (character) => character.charCodeAt(0));
}

/** The text of a byte string; bytes that are not UTF-8 become U+FFFD. */
export function textOfBytes(byteText: string): string {
  return ascii.test(byteText) ? byteText : decodeUtf8Leniently(bytesOf(byteText));
}

/** Quotes a byte string as Go's `%q`. */
export function quoteBytes(byteText: string): string {
  return quoteArray(bytesOf(byteText));
}

/** Replaces `%41` by the byte and, in a query, `+` by a space; as Go's `unescape`. */
export function unescapeUrl(text: string, part: UrlPart): string | UrlError {
  if (plainTexts[part].test(text)) return text;
  const problem = escapeProblem(text, part);
  if (problem !== undefined) return problem;
  const spaced = part === 'query' ? text.replaceAll('+', ' ') : text;
  return spaced.replace(/%(..)/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** Replaces `%41` in a path by the byte that it stands for (Go's `url.PathUnescape`); undefined for an invalid escape. */
export function unescapePath(path: string): string | undefined {
  const bytes = unescapeUrl(byteString(path), 'path');
  return typeof bytes === 'string' ? textOfBytes(bytes) : undefined;
}

function escapeProblem(text: string, part: UrlPart): UrlError | undefined {
  const isHost = part === 'host' || part === 'zone';
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === '%') {
      const sequence = text.slice(index, index + 3);
      if (!isAllowedEscape(sequence, part)) {
        return { error: `invalid URL escape ${quoteBytes(sequence)}` };
      }
      index += 2;
    } else if (isHost && character < '\x80' && !plainOf[part].test(character)) {
      return { error: `invalid character ${quote(character)} in host name` };
    }
  }
  return undefined;
}

function isAllowedEscape(sequence: string, part: UrlPart): boolean {
  if (!/^%[0-9a-fA-F]{2}$/.test(sequence)) return false;
  const byte = Number.parseInt(sequence.slice(1), 16);
  if (part === 'host') return byte >= 0x80 || sequence === '%25';
  if (part === 'zone') {
    const character = String.fromCharCode(byte);
    return sequence === '%25' || character === ' ' || plainOf.host.test(character);
  }
  return true;
}

/** Replaces all bytes that the part does not allow by `%41`, as Go's `escape`. */
export function escapeUrl(text: string, part: UrlPart): string {
  if (plainTexts[part].test(text)) return text;
  let escaped = '';
  for (const character of text) {
    escaped += plainOf[part].test(character)
      ? character
      : `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return escaped;
}

/** Whether a path or fragment is escaped well enough to be kept unchanged (Go's `validEncoded`). */
export function isWellEscaped(text: string, part: 'fragment' | 'path'): boolean {
  if (plainTexts[part].test(text)) return true;
  for (const character of text) {
    if (!/[!$&'()*+,;=:@[\]%]/.test(character) && !plainOf[part].test(character)) return false;
  }
  return true;
}
