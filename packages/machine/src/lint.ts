import { checkTypes } from '@kubeadmit/engine';
import type { Answerer } from './case.ts';
import { createClusterSource } from './cluster-source.ts';
import { clusterOf } from './fields.ts';

/**
 * Answers the cases of `kubeadmit machine lint -`.
 *
 * @param clock milliseconds since 1970, for defaults of the other resources.
 */
export function createLintAnswerer(clock: () => number): Answerer {
  const clusterFor = createClusterSource(clock);
  return async (input) => {
    const { errors, validatingPolicies, schemas } = await clusterFor(clusterOf(input));
    const typeChecking = validatingPolicies.map((policy) => ({
      policy: policy.metadata?.name ?? '',
      expressionWarnings: checkTypes(policy, schemas),
    }));
    return { errors, typeChecking };
  };
}
