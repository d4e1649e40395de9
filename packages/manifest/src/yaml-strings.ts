import { isYamlTimestamp } from '@kubeadmit/go';
import { resolveScalar } from './yaml-scalar.ts';

/** Texts of which no character needs to be looked at. */
const plainCharacters = /^[ -~]*$/;

type Style = 'plain' | 'single' | 'double' | 'literal';

/** goyaml.v2 `yaml_emitter_select_scalar_style` */
export function styleOf(text: string, isKey: boolean): Style {
  const isOdd = !plainCharacters.test(text) && [...text].some((each) => !isPrintable(each));
  const hasBreak = text.includes('\n');
  if (hasBreak) {
    const isBlock = !isKey && !isOdd && !text.endsWith(' ') && !text.includes(' \n');
    return isBlock ? 'literal' : 'double';
  }
  if (text === '' || !isString(text)) return 'double';
  if (isOdd) return 'double';
  const isQuoted = /^ | $|[\u2028\u2029]/.test(text) || hasIndicator(text);
  return isQuoted ? 'single' : 'plain';
}

const base60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;

// Whether a plain text is read as the string that it is.
function isString(text: string): boolean {
  if (base60.test(text) || isYamlTimestamp(text)) return false;
  const resolved = resolveScalar({ text, plain: true });
  return 'value' in resolved && resolved.value === text;
}

function hasIndicator(text: string): boolean {
  return (
    /^(?:---|\.\.\.)/.test(text) ||
    /^[#,[\]{}&*!|>'"%@`]/.test(text) ||
    /^[?:-](?: |$)/.test(text) ||
    /:(?: |$)| #/.test(text)
  );
}

function isPrintable(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return (
    code === 0x0a ||
    (code >= 0x20 && code <= 0x7e) ||
    (code >= 0xa0 && code <= 0xd7ff) ||
    (code >= 0xe000 && code <= 0xfffd && code !== 0xfeff)
  );
}

const escapes: Readonly<Record<string, string>> = {
  '\0': '\\0',
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '\x1b': '\\e',
  '"': '\\"',
  '\\': '\\\\',
  '\x85': '\\N',
  '\u2028': '\\L',
  '\u2029': '\\P',
};

/** Returns the escape of a character in double quotes. */
export function escaped(character: string): string {
  const known = escapes[character];
  if (known !== undefined) return known;
  if (isPrintable(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  const [letter, width] = code <= 0xff ? ['x', 2] : code <= 0xffff ? ['u', 4] : ['U', 8];
  return `\\${letter}${code.toString(16).toUpperCase().padStart(Number(width), '0')}`;
}
