import { createHash } from 'node:crypto';
import type { JsonObject } from '@kubeadmit/apimachinery';
import type { Generator } from '@kubeadmit/chain/kyverno-background';
import { stringifyJson } from '@kubeadmit/go';
import { requested } from './mutation-triggers.ts';
import type { Trigger } from './triggers.ts';

/** Digests of a policy and a trigger. */
export interface GenerationState {
  readonly policy: string;
  readonly trigger: string;
}

/** Returns the state of the policy and trigger of unsynchronized rules; `undefined` for a policy without such rules. */
export function stateOf(
  { rules, policy }: Generator,
  { object }: Trigger,
): GenerationState | undefined {
  if ([...rules.values()].every(({ isSynchronized }) => isSynchronized)) return undefined;
  return { policy: digestOf(policy.object['spec']), trigger: digestOf(requested(object)) };
}

function digestOf(value: unknown): string {
  return createHash('sha256')
    .update(stringifyJson(value as JsonObject))
    .digest('base64');
}
