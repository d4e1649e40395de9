import { type Characters, isNameCharacter, isSpaceOrEnd } from './characters.ts';

/** Characters, in addition to spaces, that may follow the name of an anchor or alias. */
const signsBehind = '?:,]}%@`';

/** Reads the name of an anchor or alias, whose `&` or `*` is here. */
export function scanAnchor(characters: Characters): string {
  characters.skip();
  const { offset } = characters;
  while (isNameCharacter(characters.code())) characters.skip();
  const name = characters.since(offset);
  const code = characters.code();
  if (name === '' || !(isSpaceOrEnd(code) || signsBehind.includes(String.fromCharCode(code)))) {
    throw characters.broken('did not find expected alphabetic or numeric character');
  }
  return name;
}
