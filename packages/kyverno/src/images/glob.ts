import { recentTester } from '@kubeadmit/go/unstable-internal';

/** Tests names of images. */
export type ImageTest = (image: string) => boolean;

/**
 * Compiles a glob of images as `gobwas/glob` does without separators: `*` and `**` match any characters, `?` one,
 * `[a-z]` and `[!abc]` one of a class, `{a,b}` alternatives. A string is the error.
 */
export function compileGlob(glob: string): ImageTest | string {
  const pattern = patternOf(glob);
  if (pattern === undefined) return `invalid glob ${glob}`;
  const tester = recentTester(`(?s)^(?:${pattern})$`);
  return 'error' in tester ? tester.error : (image) => tester.test(image);
}

const simple: ReadonlyMap<string, string> = new Map([
  ['*', '.*'],
  ['?', '.'],
  ['{', '(?:'],
]);

/** The glob as a regular expression of Go; undefined for brackets and braces that are not closed. */
function patternOf(glob: string): string | undefined {
  let pattern = '';
  let depth = 0;
  for (let index = 0; index < glob.length; index++) {
    const character = glob[index] as string;
    if (character === '\\') {
      index++;
      pattern += literal(glob[index] ?? '');
    } else if (character === '[') {
      const end = glob.indexOf(']', index + 1);
      const members = glob.slice(index + 1, end);
      if (end < 0 || members === '' || members === '!') return undefined;
      pattern += classOf(members);
      index = end;
    } else if (depth > 0 && (character === ',' || character === '}')) {
      pattern += character === ',' ? '|' : ')';
      if (character === '}') depth--;
    } else {
      if (character === '{') depth++;
      pattern += simple.get(character) ?? literal(character);
    }
  }
  return depth === 0 ? pattern : undefined;
}

function classOf(members: string): string {
  const isNegated = members.startsWith('!');
  const listed = isNegated ? members.slice(1) : members;
  const range = /^(.)-(.)$/su.exec(listed);
  const inside =
    range === null
      ? [...listed].map(classMember).join('')
      : `${classMember(range[1] ?? '')}-${classMember(range[2] ?? '')}`;
  return `[${isNegated ? '^' : ''}${inside}]`;
}

function classMember(character: string): string {
  return /[\\\]^[-]/.test(character) ? `\\${character}` : character;
}

function literal(character: string): string {
  return character.replaceAll(/[\\.+*?()|[\]{}^$]/g, String.raw`\$&`);
}
