import type { CharacterSet } from './character-set.ts';

/** The tree of a regular expression, as Go's `regexp/syntax` reads it with the flags of Perl. */
export type RegexNode =
  | { readonly kind: 'empty' }
  | SetNode
  | { readonly kind: 'assertion'; readonly assertion: Assertion }
  | { readonly kind: 'group'; readonly part: RegexNode; readonly number: number }
  | { readonly kind: 'sequence'; readonly parts: readonly RegexNode[] }
  | { readonly kind: 'choice'; readonly options: readonly RegexNode[] }
  | {
      readonly kind: 'repeat';
      readonly part: RegexNode;
      readonly least: number;
      readonly most: number;
      readonly isLazy: boolean;
      /** Written with braces. */
      readonly isCounted: boolean;
    };

/** A condition between two characters. */
export type Assertion =
  | 'beginText'
  | 'endText'
  | 'beginLine'
  | 'endLine'
  | 'wordBoundary'
  | 'noWordBoundary';

/** One code point of a set. */
export type SetNode =
  | { readonly kind: 'set'; readonly set: CharacterSet }
  /**
   * Code points that match one of the sources of a JavaScript class, such as `\p{L}` or `^\u{30}-\u{39}`, or none of
   * them if it is negated. For the Unicode data of the engine.
   */
  | {
      readonly kind: 'class';
      readonly sources: readonly string[];
      readonly isNegated: boolean;
      readonly foldsCase: boolean;
    };

/** Returns the children of a node. */
export function partsOf(node: RegexNode): readonly RegexNode[] {
  switch (node.kind) {
    case 'group':
    case 'repeat':
      return [node.part];
    case 'sequence':
      return node.parts;
    case 'choice':
      return node.options;
    default:
      return [];
  }
}

/** The error of an invalid regular expression; `at` is the part that causes it. */
export class RegexSyntaxError extends Error {
  constructor(problem: string, at: string) {
    super(`error parsing regexp: ${problem}: \`${at}\``);
  }
}
