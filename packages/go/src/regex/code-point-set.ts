import { type CharacterSet, characterSet, complement, foldCase } from './character-set.ts';
import type { SetNode } from './syntax.ts';

/** A part of a class in brackets: code points, or the source of a class of JavaScript; or all that are not in it. */
export interface ClassPart {
  readonly members: CharacterSet | string;
  readonly isNegated: boolean;
}

/** The union of all parts, or its complement; code points if they are known without JavaScript's engine. */
export function setNode(
  parts: readonly ClassPart[],
  { isNegated, foldsCase }: { readonly isNegated: boolean; readonly foldsCase: boolean },
): SetNode {
  const ranges: number[] = [];
  for (const part of parts) {
    const known = membersOf(part, foldsCase);
    if (known === undefined) {
      return { kind: 'class', sources: parts.map(sourceOf), isNegated, foldsCase };
    }
    ranges.push(...known);
  }
  const set = characterSet(ranges);
  return { kind: 'set', set: isNegated ? complement(set) : set };
}

function membersOf({ members, isNegated }: ClassPart, foldsCase: boolean) {
  // Native expressions would find half a pair, which is U+FFFD to Go.
  if (typeof members === 'string' || members.some(isSurrogate)) return undefined;
  const set = foldsCase ? foldCase(members) : characterSet(members);
  return set && isNegated ? complement(set) : set;
}

function sourceOf({ members, isNegated }: ClassPart): string {
  return (isNegated ? '^' : '') + (typeof members === 'string' ? members : rangesSource(members));
}

/** Ranges as a class of JavaScript has them between its brackets. */
export function rangesSource(set: CharacterSet): string {
  return set.map((code, at) => (at % 2 === 0 ? '' : '-') + codePointSource(code)).join('');
}

/** A code point as an escape of JavaScript. */
export function codePointSource(code: number): string {
  return `\\u{${code.toString(16)}}`;
}

function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff;
}
