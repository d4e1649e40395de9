import { codePointSource, rangesSource } from './code-point-set.ts';
import { isLinear } from './effort.ts';
import type { ParsedRegex } from './parse-regex.ts';
import { canBeEmpty } from './program.ts';
import { partsOf, type RegexNode } from './syntax.ts';

/**
 * The longest text, in UTF-16 units, for native expressions: engines keep a list of untried alternatives, which must
 * not grow without limit.
 */
export const longestNativeText = 32_768;

const longestPattern = 500;

/**
 * A JavaScript regular expression that matches the same texts as one of RE2, also in linear time; `undefined` if none
 * is known. The matches that it finds within a text can differ.
 */
export function nativeRegex({ text, node }: ParsedRegex): RegExp | undefined {
  if (text.length > longestPattern) return undefined;
  const needed = withoutLooseEnds(node);
  return isLinear(needed) ? new RegExp(source(needed), 'u') : undefined;
}

/**
 * A JavaScript regular expression that finds the same matches as one of RE2, each from `lastIndex` on and in time
 * linear in the rest of the text; `undefined` if none is known.
 */
export function nativeFinder({ text, node }: ParsedRegex): RegExp | undefined {
  const isNative = text.length <= longestPattern && isLinear(node) && !repeatsNothing(node);
  return isNative ? new RegExp(source(node), 'gu') : undefined;
}

/**
 * Whether a round of a repetition can match nothing: then JavaScript tries less preferred alternatives, and RE2 does
 * not.
 */
function repeatsNothing(node: RegexNode): boolean {
  const isOptional = node.kind === 'repeat' && node.most > node.least;
  return (isOptional && canBeEmpty(node.part)) || partsOf(node).some(repeatsNothing);
}

/** Any number of characters at the very beginning or end are there whenever the fewest of them are. */
function withoutLooseEnds(node: RegexNode): RegexNode {
  const all = node.kind === 'sequence' ? node.parts : [node];
  const parts = all.map((part, index) =>
    part.kind === 'repeat' && part.part.kind === 'set' && (index === 0 || index === all.length - 1)
      ? { ...part, most: part.least }
      : part,
  );
  return { kind: 'sequence', parts };
}

// Not `$`: V8 14.6 (Node 26) has `/[^a]$/u` not match `é😀`.
const end = '(?![^])';

/** INVARIANT: the effort of the node is known. */
function source(node: RegexNode): string {
  switch (node.kind) {
    case 'set': {
      const [from = 0, to = 0] = node.set;
      const isOne = node.set.length === 2 && from === to;
      return isOne ? codePointSource(from) : `[${rangesSource(node.set)}]`;
    }
    case 'assertion':
      return node.assertion === 'endText' ? end : '^';
    case 'group':
      return source(node.part);
    case 'sequence':
      return node.parts.map(source).join('');
    case 'choice':
      return `(?:${node.options.map(source).join('|')})`;
    case 'repeat': {
      const { least, most, isLazy } = node;
      const to = most === Number.POSITIVE_INFINITY ? '' : most;
      return `(?:${source(node.part)}){${least},${to}}${isLazy ? '?' : ''}`;
    }
    default:
      return '';
  }
}
