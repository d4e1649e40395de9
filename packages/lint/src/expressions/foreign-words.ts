import type { TextRange } from '@kubeadmit/manifest';

/** A word or operator of another language in an expression, and its equivalent in CEL. */
export interface ForeignWord {
  readonly range: TextRange;
  readonly written: string;
  readonly newText: string;
}

/** Comments, strings, which may have no end, operators, and names with the text after them. */
const token =
  /\/\/[^\n]*|[rRbB]{0,2}(?:"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?)|===|!==|<>|[=!<>]=|&&|\|\||[=&|]|\.?[A-Za-z_]\w*(?:\s*\()?/g;

const signs: ReadonlyMap<string, string> = new Map([
  ['===', '=='],
  ['!==', '!='],
  ['<>', '!='],
  ['=', '=='],
  ['&', '&&'],
  ['|', '||'],
]);

const words: ReadonlyMap<string, string> = new Map([
  ['and', '&&'],
  ['AND', '&&'],
  ['or', '||'],
  ['OR', '||'],
  ['True', 'true'],
  ['False', 'false'],
  ['TRUE', 'true'],
  ['FALSE', 'false'],
  ['None', 'null'],
  ['nil', 'null'],
  ['undefined', 'null'],
]);

const functions: ReadonlyMap<string, string> = new Map([
  ['.startWith', '.startsWith'],
  ['.startswith', '.startsWith'],
  ['.hasPrefix', '.startsWith'],
  ['.endWith', '.endsWith'],
  ['.endswith', '.endsWith'],
  ['.hasSuffix', '.endsWith'],
  ['.contain', '.contains'],
  ['.match', '.matches'],
  ['.test', '.matches'],
  ['.some', '.exists'],
  ['.any', '.exists'],
  ['.every', '.all'],
  ['.existsOne', '.exists_one'],
  ['.toLowerCase', '.lowerAscii'],
  ['.toLower', '.lowerAscii'],
  ['.lower', '.lowerAscii'],
  ['.toUpperCase', '.upperAscii'],
  ['.toUpper', '.upperAscii'],
  ['.upper', '.upperAscii'],
  ['len', 'size'],
  ['length', 'size'],
  ['.len', '.size'],
  ['.length', '.size'],
  ['.count', '.size'],
  ['not', '!'],
  ['NOT', '!'],
]);

/** Finds words and signs of other languages; whether they are wrong where they stand, the compiler knows. */
export function foreignWords(text: string): readonly ForeignWord[] {
  const found: ForeignWord[] = [];
  for (const { 0: written, index } of text.matchAll(token)) {
    if (/^(?:\/\/|[rRbB]{0,2}["'])/.test(written)) continue;
    const name = written.replace(/(?<!\s)\s*\($/, '');
    const isCall = name.length < written.length;
    const newText = replacement(name, isCall, text.slice(index + written.length));
    if (newText === undefined) continue;
    const isWord = name === 'not' || name === 'NOT';
    const space =
      isWord && !isCall ? (/^\s*/.exec(text.slice(index + name.length))?.[0].length ?? 0) : 0;
    found.push({
      range: { start: index, end: index + name.length + space },
      written: name.replace(/^\./, ''),
      newText,
    });
  }
  return found;
}

/** Returns CEL's equivalent of another language's function, methods with a dot, or `undefined`. */
export function foreignFunction(name: string): string | undefined {
  return functions.get(name);
}

/** The functions of other languages that are known, methods with a dot. */
export const foreignFunctions: readonly string[] = [...functions.keys()];

function replacement(name: string, isCall: boolean, after: string): string | undefined {
  if (isCall) return functions.get(name) ?? (words.has(name) ? words.get(name) : undefined);
  if ((name === 'not' || name === 'NOT') && /^\s+[A-Za-z_(]/.test(after)) {
    return /^\s+in\b/.test(after) ? undefined : '!';
  }
  if (name === '.length' || name === '.size') return '.size()';
  return signs.get(name) ?? words.get(name);
}
