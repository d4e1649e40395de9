import { type Generator, isNewerThan } from '@kubeadmit/chain/kyverno-background';
import type { GeneratedObject } from './generated-index.ts';
import type { Wanted } from './generated-writer.ts';
import type { Trigger } from './triggers.ts';

/** How many changes of background work in a row may generate objects. */
const longestChain = 10;

/** The wants of a rule that leaves its objects as they are. */
export const nothingKnown = { extent: 'unknown', objects: [], problem: '' } as const;

/** A trigger and the circumstances in which it acts. */
export interface ActingTrigger {
  readonly trigger: Trigger | undefined;
  /** The objects that the policy generated for it. */
  readonly present: readonly GeneratedObject[];
  /** How many changes of background work led to the trigger; zero for a trigger of a user. */
  readonly depth: number;
}

/**
 * Returns the wants of the rules that act because of a trigger. Rules ignore triggers older than their policy, and
 * as in Kyverno those that background work made: a rule would otherwise generate its own triggers without end.
 */
export function wantedByActing(
  generator: Generator,
  wanted: readonly Wanted[],
  acting: ActingTrigger,
): readonly Wanted[] {
  return wanted.map((one) => {
    const { rule } = one;
    const isIdle = isTooOld(generator, rule, acting) || isSkipped(generator, rule, acting);
    return isIdle ? { ...one, ...nothingKnown } : one;
  });
}

/** Why the rules of a policy do not act any more; empty if they do. */
export function chainProblem({ depth }: ActingTrigger, wanted: readonly Wanted[]): string {
  if (depth < longestChain || wanted.every(({ objects }) => objects.length === 0)) return '';
  return `nothing generated: this object results from ${depth} background changes in a row, and the limit prevents loops`;
}

// The rule may have generated objects for the trigger before.
function isTooOld(
  { rules, policy }: Generator,
  rule: string,
  { trigger, present }: ActingTrigger,
): boolean {
  if (trigger === undefined || rules.get(rule)?.generatesExisting) return false;
  const isKnown = present.some(({ owner }) => owner.rule === rule);
  return !isKnown && !isNewerThan(policy.object, trigger.object);
}

function isSkipped({ rules }: Generator, rule: string, { depth }: ActingTrigger): boolean {
  return depth > 0 && rules.get(rule)?.skipsBackgroundChanges === true;
}
