import { concatenateBytes, encodeUtf8 } from '@kubeadmit/go';
import { Double, Uint, type Value } from '../values/value.ts';

const minimalInt = -(2n ** 63n);
const maximalInt = 2n ** 63n - 1n;
const maximalUint = 2n ** 64n - 1n;

/** The value of an int literal (decimal or `0x…`, perhaps with sign); `undefined` beyond 64 bits. */
export function intLiteral(text: string): Value | undefined {
  const near = Number(text);
  if (Number.isSafeInteger(near)) return near + 0;
  const negative = text.startsWith('-');
  const magnitude = BigInt(negative ? text.slice(1) : text);
  const value = negative ? -magnitude : magnitude;
  if (value < minimalInt || value > maximalInt) return undefined;
  const small = Number(value);
  return Number.isSafeInteger(small) ? small + 0 : value;
}

/** The value of a uint literal with its `u`; `undefined` beyond 64 bits. */
export function uintLiteral(text: string): Value | undefined {
  const value = BigInt(text.slice(0, -1));
  return value > maximalUint ? undefined : new Uint(value);
}

/** The value of a double literal; `undefined` when it is too large. */
export function doubleLiteral(text: string): Value | undefined {
  const value = Number(text);
  if (!Number.isFinite(value)) return undefined;
  return Number.isInteger(value) ? new Double(value) : value;
}

const simpleEscapes: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** The value of a string literal as the lexer accepts it. Throws {@link UnescapeError}. */
export function stringLiteral(text: string): string {
  const { body, raw } = unquote(text);
  if (raw || !body.includes('\\')) return body;
  return body.replace(/\\([0-3][0-7]{2}|[xX]..|u.{4}|U.{8}|[\s\S])/gu, (_, escape: string) => {
    const simple = simpleEscapes[escape];
    if (simple !== undefined) return simple;
    const code = escapedCode(escape);
    return code === undefined ? escape : String.fromCodePoint(code);
  });
}

/** The value of a bytes literal, with its `b`. Throws {@link UnescapeError}. */
export function bytesLiteral(text: string): Uint8Array {
  const { body, raw } = unquote(text.slice(1));
  if (raw || !body.includes('\\')) return encodeUtf8(body);
  const parts: Uint8Array[] = [];
  for (const part of body.match(/\\(?:[0-3][0-7]{2}|[xX]..|[\s\S])|[^\\]+/gu) ?? []) {
    const escape = part.startsWith('\\') ? part.slice(1) : undefined;
    if (escape === 'u' || escape === 'U') throw new UnescapeError('unable to unescape string');
    const code = escape === undefined ? undefined : byteCode(escape);
    parts.push(
      code === undefined
        ? encodeUtf8(escape === undefined ? part : (simpleEscapes[escape] ?? escape))
        : Uint8Array.of(code),
    );
  }
  return concatenateBytes(parts);
}

/** A literal that the lexer accepts and that has no value; the message is cel-go's. */
export class UnescapeError extends Error {}

function unquote(text: string): { readonly body: string; readonly raw: boolean } {
  const normal = text.includes('\r') ? text.replaceAll('\r\n', '\n').replaceAll('\r', '\n') : text;
  const raw = normal.startsWith('r') || normal.startsWith('R');
  const quoted = raw ? normal.slice(1) : normal;
  const triple = quoted.length >= 6 && (quoted.startsWith('"""') || quoted.startsWith("'''"));
  return { body: triple ? quoted.slice(3, -3) : quoted.slice(1, -1), raw };
}

function byteCode(escape: string): number | undefined {
  if (/^[xX]/.test(escape)) return Number.parseInt(escape.slice(1), 16);
  return /^[0-3][0-7]{2}$/.test(escape) ? Number.parseInt(escape, 8) : undefined;
}

function escapedCode(escape: string): number | undefined {
  const code = /^[xXuU]/.test(escape) ? Number.parseInt(escape.slice(1), 16) : byteCode(escape);
  if (code === undefined) return undefined;
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) || Number.isNaN(code)) {
    throw new UnescapeError('invalid unicode code point');
  }
  return code;
}
