import { checkTypes } from '@kubeadmit/engine';
import { createClusterSource } from './admit.ts';
import { clusterOf } from './fields.ts';
import type { Answerer } from './lines.ts';

/** Answers the cases of `kubeadmit lint --batch -`. */
export function createLintAnswerer(): Answerer {
  const clusterFor = createClusterSource();
  return async (input) => {
    const { errors, validatingPolicies, schemas } = await clusterFor(clusterOf(input));
    const typeChecking = validatingPolicies.map((policy) => ({
      policy: policy.metadata?.name ?? '',
      expressionWarnings: checkTypes(policy, schemas),
    }));
    return { errors, typeChecking };
  };
}
