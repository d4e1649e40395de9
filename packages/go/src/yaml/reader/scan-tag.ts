import { decodeUtf8Leniently } from '../../text/utf8.ts';
import { widthOf } from './bad-utf8.ts';
import { type Characters, isBlank, isNameCharacter, isSpaceOrEnd } from './characters.ts';

/** The name of a tag: a handle, which is replaced by a prefix, and the suffix. */
export interface TagName {
  readonly handle: string;
  readonly suffix: string;
}

/** Characters allowed in a tag in addition to letters, digits, `_`, `-` and escaped bytes. */
const tagSigns = ";/?:@&=+$,.!~*'()[]";

/** Reads a tag, whose `!` is here. */
export function scanTag(characters: Characters): TagName {
  const tag = characters.is('<', 1) ? scanVerbatim(characters) : scanShorthand(characters);
  if (!isSpaceOrEnd(characters.code())) {
    throw characters.broken('did not find expected whitespace or line break');
  }
  return tag;
}

/** Reads the handle and the prefix of a directive `%TAG`. */
export function scanTagDirective(characters: Characters): {
  readonly handle: string;
  readonly prefix: string;
} {
  characters.skipBlanks();
  const handle = scanHandle(characters);
  if (handle !== '!' && !(handle.length > 1 && handle.endsWith('!'))) {
    throw characters.broken("did not find expected '!'");
  }
  if (!isBlank(characters.code())) throw characters.broken('did not find expected whitespace');
  characters.skipBlanks();
  const prefix = scanUri(characters);
  if (prefix === '') throw characters.broken('did not find expected tag URI');
  if (!isSpaceOrEnd(characters.code())) {
    throw characters.broken('did not find expected whitespace or line break');
  }
  return { handle, prefix };
}

function scanVerbatim(characters: Characters): TagName {
  characters.skip(2);
  const suffix = scanUri(characters);
  if (suffix === '') throw characters.broken('did not find expected tag URI');
  if (!characters.is('>')) throw characters.broken("did not find the expected '>'");
  characters.skip();
  return { handle: '', suffix };
}

function scanShorthand(characters: Characters): TagName {
  const start = scanHandle(characters);
  const rest = scanUri(characters);
  if (start.length > 1 && start.endsWith('!')) {
    if (rest === '') throw characters.broken('did not find expected tag URI');
    return { handle: start, suffix: rest };
  }
  const suffix = start.slice(1) + rest;
  return suffix === '' ? { handle: '', suffix: '!' } : { handle: '!', suffix };
}

/** Reads `!`, `!name!`, or text that only begins like one. */
function scanHandle(characters: Characters): string {
  if (!characters.is('!')) throw characters.broken("did not find expected '!'");
  const { offset } = characters;
  characters.skip();
  while (isNameCharacter(characters.code())) characters.skip();
  if (characters.is('!')) characters.skip();
  return characters.since(offset);
}

function scanUri(characters: Characters): string {
  let uri = '';
  for (;;) {
    const code = characters.code();
    const sign = String.fromCharCode(code);
    if (isNameCharacter(code) || (code > 0 && tagSigns.includes(sign))) uri += characters.take();
    else if (sign === '%') uri += scanEscapedCharacter(characters);
    else return uri;
  }
}

/** Reads a character whose bytes in UTF-8 are each written as `%` with two digits. */
function scanEscapedCharacter(characters: Characters): string {
  const octets: number[] = [];
  let left = 1;
  while (left > 0) {
    const digits = [1, 2].map((ahead) => String.fromCharCode(characters.code(ahead))).join('');
    if (!characters.is('%') || !/^[\da-fA-F]{2}$/.test(digits)) {
      throw characters.broken('did not find URI escaped octet');
    }
    const octet = Number.parseInt(digits, 16);
    if (octets.length === 0) {
      left = widthOf(octet);
      if (left === 0) throw characters.broken('found an incorrect leading UTF-8 octet');
    } else if ((octet & 0xc0) !== 0x80) {
      throw characters.broken('found an incorrect trailing UTF-8 octet');
    }
    octets.push(octet);
    characters.skip(3);
    left--;
  }
  return decodeUtf8Leniently(Uint8Array.from(octets));
}
