import { type Generator, isNewerThan } from '@kubeadmit/chain/unstable-internal';
import type { GeneratedObject } from './generated-index.ts';
import type { Wanted } from './generated-writer.ts';
import type { Trigger } from './triggers.ts';

/** Whether a rule ignores a trigger because it is older than the policy, and generated nothing for it before. */
export function isTooOld(
  { rules, policy }: Generator,
  { rule }: Wanted,
  trigger: Trigger | undefined,
  present: readonly GeneratedObject[],
): boolean {
  if (trigger === undefined || rules.get(rule)?.generatesExisting) return false;
  const isKnown = present.some(({ owner }) => owner.rule === rule);
  return !isKnown && !isNewerThan(policy.object, trigger.object);
}
