import type { RegexSource } from './regex-source.ts';
import { RegexSyntaxError } from './syntax.ts';

const controls: Readonly<Record<string, string>> = {
  a: '\x07',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** Takes an escape and gives the character that it stands for. */
export function takeEscaped(source: RegexSource): string {
  const written = source.rest;
  source.skip(1);
  if (source.rest === '') {
    throw new RegexSyntaxError('trailing backslash at end of expression', '');
  }
  const character = source.take();
  if (Object.hasOwn(controls, character)) return controls[character] ?? '';
  if (/^[\0-\x7f]$/.test(character) && !/^[0-9A-Za-z]$/.test(character)) return character;
  const code = /^[0-7]$/.test(character)
    ? takeOctal(source, character)
    : character === 'x'
      ? takeHexadecimal(source)
      : undefined;
  if (code !== undefined) return String.fromCodePoint(code);
  throw new RegexSyntaxError('invalid escape sequence', source.takenSince(written));
}

function takeOctal(source: RegexSource, first: string): number | undefined {
  const [more = ''] = /^[0-7]{0,2}/.exec(source.rest) ?? [];
  if (first !== '0' && more === '') return undefined;
  source.skip(more.length);
  return Number.parseInt(first + more, 8);
}

function takeHexadecimal(source: RegexSource): number | undefined {
  if (source.rest === '') return undefined;
  const first = source.take();
  if (first !== '{') {
    if (source.rest === '') return undefined;
    const digits = first + source.take();
    return /^[0-9A-Fa-f]{2}$/.test(digits) ? Number.parseInt(digits, 16) : undefined;
  }
  let code = 0;
  let count = 0;
  while (source.rest !== '') {
    const digit = source.take();
    if (digit === '}') return count === 0 ? undefined : code;
    if (!/^[0-9A-Fa-f]$/.test(digit)) return undefined;
    code = code * 16 + Number.parseInt(digit, 16);
    if (code > 0x10ffff) return undefined;
    count++;
  }
  return undefined;
}
