import { UsageError } from '../configuration/usage-error.ts';
import type { Generation } from '../policies/generation.ts';
import { PolicyStore } from '../policies/policy-store.ts';
import { readSnapshot } from '../policies/read-snapshot.ts';

/**
 * Loads the policies of files and folders.
 *
 * @throws UsageError when one is invalid.
 */
export async function readPolicies(
  paths: readonly string[],
  kubernetesVersion: string | undefined,
): Promise<Generation> {
  const policies = new PolicyStore({ kubernetesVersion });
  const { problems } = await policies.load(readSnapshot(paths));
  if (policies.current !== undefined) return policies.current;
  throw new UsageError(problems.map(({ place, message }) => `${place}: ${message}`).join('\n'));
}
