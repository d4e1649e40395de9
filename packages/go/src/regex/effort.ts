import { type CharacterSet, characterSet, isWithin, overlap } from './character-set.ts';
import { canBeEmpty } from './program.ts';
import type { RegexNode } from './syntax.ts';

// How long matching can take at most when one possibility is tried after the other, as the engines of
// JavaScript do: an upper bound is computed from the end of the pattern to its beginning.

/** The effort of a search without a match: a number of steps, and a number of steps per character. */
interface Effort {
  readonly steps: number;
  readonly each: number;
}

/** The pattern from some place in it to its end. */
interface Rest {
  /** The characters of which one has to come next, unless the text ends here. */
  readonly first: CharacterSet;
  readonly canEnd: boolean;
  readonly canFail: boolean;
  /** How many possibilities there are to begin with. */
  readonly branches: number;
  readonly effort: Effort;
  /** Whether the next one or two characters determine every choice. */
  readonly isDecided: boolean;
  /** The rest after the first character, if that is one of a set and nothing else. */
  readonly afterSet: Rest | undefined;
}

/** Thrown where no bound is found. */
class TooLong extends Error {}

const mostSteps = 300;
const mostMeasured = 5000;

/**
 * Whether a proof exists that finding a match, or its absence, takes linear time. Supports only assertions for the
 * beginning and the end of a text.
 */
export function isLinear(node: RegexNode): boolean {
  try {
    const { steps, each } = new EffortMeter().measure(node, anything).effort;
    // Without an anchor every character of the text may be the first.
    return steps <= mostSteps && each <= (isAnchored(node) ? mostSteps : 0);
  } catch (problem) {
    if (problem instanceof TooLong) return false;
    throw problem;
  }
}

const noEffort: Effort = { steps: 0, each: 0 };

const anything: Rest = {
  first: [],
  canEnd: true,
  canFail: false,
  branches: 0,
  effort: noEffort,
  isDecided: true,
  afterSet: undefined,
};

function isAnchored(node: RegexNode): boolean {
  switch (node.kind) {
    case 'assertion':
      return node.assertion === 'beginText';
    case 'group':
      return isAnchored(node.part);
    case 'sequence':
      return node.parts[0] !== undefined && isAnchored(node.parts[0]);
    case 'choice':
      return node.options.every(isAnchored);
    default:
      return false;
  }
}

class EffortMeter {
  #measured = 0;

  /** Measures a node together with the rest after it. */
  measure(node: RegexNode, rest: Rest): Rest {
    if (++this.#measured > mostMeasured) throw new TooLong();
    switch (node.kind) {
      case 'empty':
        return rest;
      case 'set':
        return {
          first: node.set,
          canEnd: false,
          canFail: true,
          branches: 1,
          effort: sum(rest.effort, { steps: 1, each: 0 }),
          isDecided: rest.isDecided,
          afterSet: rest,
        };
      case 'assertion':
        if (node.assertion !== 'beginText' && node.assertion !== 'endText') throw new TooLong();
        return {
          ...rest,
          first: node.assertion === 'endText' ? [] : rest.first,
          canFail: true,
          branches: rest.branches + 1,
          effort: sum(rest.effort, { steps: 1, each: 0 }),
          afterSet: undefined,
        };
      case 'group':
        return this.measure(node.part, rest);
      case 'sequence':
        return node.parts.reduceRight((after, part) => this.measure(part, after), rest);
      case 'choice':
        return node.options
          .map((option) => this.measure(option, rest))
          .reduceRight((later, earlier) => either(earlier, later));
      case 'repeat':
        return this.#repeat(node, rest);
      default:
        throw new TooLong();
    }
  }

  #repeat({ part, least, most }: Extract<RegexNode, { kind: 'repeat' }>, rest: Rest): Rest {
    const set = onlySet(part);
    let after = rest;
    if (set !== undefined) {
      after = repeatSet(set, most - least, rest);
    } else if (most === Number.POSITIVE_INFINITY) {
      after = this.#loop(part, rest);
    } else {
      for (let count = least; count < most; count++) {
        after = either(this.measure(part, after), rest);
      }
    }
    for (let count = 0; count < least; count++) after = this.measure(part, after);
    return after;
  }

  /** Any number of parts that are more than one character: each choice has to be a decided one. */
  #loop(part: RegexNode, rest: Rest): Rest {
    const begin = this.measure(part, rest);
    if (canBeEmpty(part) || overlap(begin.first, rest.first)) throw new TooLong();
    const branches = begin.branches + rest.branches;
    const again: Rest = {
      ...either(begin, rest),
      canEnd: rest.canEnd,
      effort: noEffort,
      isDecided: true,
    };
    const { effort, isDecided } = this.measure(part, again);
    if (!isDecided) throw new TooLong();
    return {
      ...again,
      effort: effortUnless(!rest.canFail, {
        steps: rest.effort.steps,
        each: rest.effort.each + effort.steps + effort.each + branches,
      }),
      isDecided: rest.isDecided,
    };
  }
}

/** Up to so many characters of a set. */
function repeatSet(set: CharacterSet, count: number, rest: Rest): Rest {
  const { afterSet } = rest;
  let isDecided = !overlap(set, rest.first);
  let branches = rest.branches + 1;
  if (!isDecided && afterSet !== undefined) {
    // `[-a-z]*[a-z]\.`: only before a point can the second part be the right one.
    isDecided = isWithin(rest.first, set) && !overlap(set, afterSet.first);
    branches += afterSet.branches;
  }
  if (!isDecided && rest.effort.each > 0 && rest.canFail && count > 0) throw new TooLong();
  const forEach = isDecided ? branches : 1 + rest.effort.steps;
  const isEndless = count === Number.POSITIVE_INFINITY;
  return {
    first: characterSet([...set, ...rest.first]),
    canEnd: rest.canEnd,
    canFail: rest.canFail,
    branches: rest.branches + 1,
    effort: effortUnless(
      !rest.canFail,
      sum(rest.effort, {
        steps: isEndless ? 0 : count * forEach,
        each: isEndless ? forEach : 0,
      }),
    ),
    isDecided: isDecided && rest.isDecided,
    afterSet: undefined,
  };
}

function either(one: Rest, other: Rest): Rest {
  const isDistinct = !overlap(one.first, other.first) && !(one.canEnd && other.canEnd);
  const canFail = one.canFail && other.canFail;
  const branches = one.branches + other.branches;
  return {
    first: characterSet([...one.first, ...other.first]),
    canEnd: one.canEnd || other.canEnd,
    canFail,
    branches,
    effort: effortUnless(
      !canFail,
      isDistinct
        ? {
            steps: Math.max(one.effort.steps, other.effort.steps) + branches,
            each: Math.max(one.effort.each, other.effort.each),
          }
        : sum(one.effort, other.effort),
    ),
    isDecided: isDistinct && one.isDecided && other.isDecided,
    afterSet: undefined,
  };
}

function sum(one: Effort, other: Effort): Effort {
  return { steps: one.steps + other.steps, each: one.each + other.each };
}

function effortUnless(cannotFail: boolean, effort: Effort): Effort {
  return cannotFail ? noEffort : effort;
}

/** The set of a node that is one character, also within parentheses. */
function onlySet(node: RegexNode): CharacterSet | undefined {
  if (node.kind === 'set') return node.set;
  return node.kind === 'group' ? onlySet(node.part) : undefined;
}
