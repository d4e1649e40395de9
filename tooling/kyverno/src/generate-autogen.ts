import type { Random } from '@kubeadmit/random';
import { generateMutation } from './generate-mutation.ts';
import { generateValidation } from './generate-rules.ts';

const kinds = ['Deployment', 'CronJob', 'Pod', 'Job', 'Foo', 'DaemonSet'];

/** A random case for `autogen`. */
export function generateAutogen(random: Random): object {
  const made = random.chance(0.7) ? generateValidation(random) : generateMutation(random);
  const [policy] = (made as { policies: object[] }).policies;
  return { policy, ...(random.chance(0.6) && { kind: random.pick(kinds) }) };
}
