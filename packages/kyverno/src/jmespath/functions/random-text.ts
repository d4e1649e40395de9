import { getOrMake } from '@kubeadmit/base';
import {
  parseRegex,
  type RegexNode,
  RegexSyntaxError,
  SetMatcher,
} from '@kubeadmit/go/unstable-internal';
import { Failure } from '../steps/failure.ts';

/** The most repetitions of `*`, `+` and `{n,}` beyond the required ones. */
const openRepeats = 100;
/** How long a generated text may get. */
const longest = 1_000_000;

/** A random text that a regular expression matches, as Kyverno's `random` makes it, which knows nothing of Perl's. */
export function randomText(pattern: string): string | Failure {
  if (pattern === '') return new Failure('no pattern provided');
  try {
    const text = textOf(parseRegex(pattern, 'POSIX').node, new Map());
    return text.length > longest ? new Failure('the pattern generates too long a string') : text;
  } catch (error) {
    if (error instanceof RegexSyntaxError) return new Failure(error.message);
    throw error;
  }
}

/** @param choices what is chosen from at the sets that were met */
function textOf(node: RegexNode, choices: Map<RegexNode, readonly number[]>): string {
  switch (node.kind) {
    case 'set':
    case 'class':
      return characterOf(getOrMake(choices, node, () => choicesOf(new SetMatcher(node))));
    case 'group':
      return textOf(node.part, choices);
    case 'sequence':
      return node.parts.map((part) => textOf(part, choices)).join('');
    case 'choice':
      return textOf(node.options[randomBelow(node.options.length)] as RegexNode, choices);
    case 'repeat': {
      const { part, least } = node;
      const most = Math.min(node.most, least + openRepeats);
      const count = least + randomBelow(most - least + 1);
      let text = '';
      for (let at = 0; at < count && text.length <= longest; at++) text += textOf(part, choices);
      return text;
    }
    default:
      return '';
  }
}

function characterOf(codes: readonly number[]): string {
  return String.fromCodePoint(codes[randomBelow(codes.length)] ?? 0);
}

/** The printable characters of ASCII in a set, or those of the first 256 code points that contain one. */
function choicesOf(set: SetMatcher): readonly number[] {
  let codes = codesIn(set, 32, 127);
  for (let from = 0; codes.length === 0 && from < 0x110000; from += 256) {
    codes = codesIn(set, from, from + 256);
  }
  return codes;
}

function codesIn(set: SetMatcher, from: number, to: number): readonly number[] {
  const codes: number[] = [];
  for (let code = from; code < to; code++) if (set.has(code)) codes.push(code);
  return codes;
}

function randomBelow(count: number): number {
  return Math.floor(Math.random() * count);
}
