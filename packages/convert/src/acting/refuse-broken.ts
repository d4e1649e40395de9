import type { JsonObject } from '@kubeadmit/apimachinery';
import { compileCelPolicy } from '@kubeadmit/kyverno';
import { Unsupported } from '../notes/unsupported.ts';

/**
 * Validates a converted policy as Kyverno does at creation.
 *
 * @throws Unsupported with the cause where Kyverno would refuse it.
 */
export function refuseBroken(policy: JsonObject): void {
  const { problems, refusals } = compileCelPolicy(policy, { clock: () => 0 });
  const [first] = [...problems, ...refusals];
  if (first === undefined) return;
  const [line = ''] = first.message.split('\n');
  throw new Unsupported(`Kyverno would reject the result: ${line}`);
}
