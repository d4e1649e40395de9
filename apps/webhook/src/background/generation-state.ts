import { createHash } from 'node:crypto';
import type { JsonObject } from '@kubeadmit/apimachinery';
import { type Generator, isChangedSince, timeOfChange } from '@kubeadmit/chain/kyverno-background';
import { stringifyJson } from '@kubeadmit/go';
import { requested } from './mutation-triggers.ts';
import type { Trigger } from './triggers.ts';

/** Digests of a policy and a trigger. */
export interface GenerationState {
  readonly policy: string;
  readonly trigger: string;
}

/** Returns the state of a policy and its trigger. */
export function stateOf(policy: Generator['policy'], { object }: Trigger): GenerationState {
  return { policy: digestOf(policy.object['spec']), trigger: digestOf(requested(object)) };
}

/** The present trigger of a policy, its state, and the state for which the policy last generated its objects. */
export interface GenerationProgress {
  readonly trigger: Trigger | undefined;
  readonly now: GenerationState | undefined;
  readonly before: GenerationState | undefined;
}

/** Whether a rule generated its objects already, so that those that do not follow the rule stay deleted. */
export function isFinished(
  { rules, policy }: Generator,
  rule: string,
  { trigger, now, before }: GenerationProgress,
): boolean {
  const settings = rules.get(rule);
  if (settings === undefined || settings.isSynchronized) return false;
  if (trigger === undefined || now === undefined || before === undefined) return false;
  if (before.trigger !== now.trigger) return false;
  if (before.policy === now.policy) return true;
  // An earlier version of the policy may have seen a trigger that belongs to the present one.
  const isNew = isChangedSince(trigger.object, timeOfChange(policy.object));
  return !settings.generatesExisting && !isNew;
}

function digestOf(value: unknown): string {
  return createHash('sha256')
    .update(stringifyJson(value as JsonObject))
    .digest('base64');
}
