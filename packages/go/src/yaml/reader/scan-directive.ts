import {
  type Characters,
  isBreak,
  isBreakOrEnd,
  isDigit,
  isNameCharacter,
  isSpaceOrEnd,
} from './characters.ts';
import { scanTagDirective } from './scan-tag.ts';
import type { Token } from './token.ts';

/** Reads a directive, whose `%` is here. */
export function scanDirective(characters: Characters): Token {
  const start = characters.mark;
  characters.skip();
  const name = scanName(characters);
  const token = scanValue(characters, name);
  characters.skipBlanks();
  characters.skipComment();
  if (!isBreakOrEnd(characters.code())) {
    throw characters.broken('did not find expected comment or line break');
  }
  if (isBreak(characters.code())) characters.skipBreak();
  return { ...token, start };
}

function scanName(characters: Characters): string {
  const { offset } = characters;
  while (isNameCharacter(characters.code())) characters.skip();
  const name = characters.since(offset);
  if (name === '') throw characters.broken('could not find expected directive name');
  if (!isSpaceOrEnd(characters.code())) {
    throw characters.broken('found unexpected non-alphabetical character');
  }
  return name;
}

type DirectiveValue =
  | { readonly type: 'version-directive'; readonly major: number; readonly minor: number }
  | { readonly type: 'tag-directive'; readonly handle: string; readonly prefix: string };

function scanValue(characters: Characters, name: string): DirectiveValue {
  if (name === 'TAG') return { type: 'tag-directive', ...scanTagDirective(characters) };
  if (name !== 'YAML') throw characters.broken('found unknown directive name');
  characters.skipBlanks();
  const major = scanVersionNumber(characters);
  if (!characters.is('.')) {
    throw characters.broken("did not find expected digit or '.' character");
  }
  characters.skip();
  return { type: 'version-directive', major, minor: scanVersionNumber(characters) };
}

function scanVersionNumber(characters: Characters): number {
  const { offset } = characters;
  while (isDigit(characters.code())) {
    if (characters.offset === offset + 2) {
      throw characters.broken('found extremely long version number');
    }
    characters.skip();
  }
  const digits = characters.since(offset);
  if (digits === '') throw characters.broken('did not find expected version number');
  return Number(digits);
}
