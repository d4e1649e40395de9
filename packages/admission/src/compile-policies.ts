import type { Cluster } from './cluster.ts';

/**
 * Compiles the policies of a cluster that have bindings, one in each step, so that no request waits for it.
 *
 * Policies that were compiled before, also for a previous cluster, take no time.
 */
export function* compilePolicies({ policies }: Cluster): Generator<undefined, void> {
  yield* policies.mutating.compileAll();
  yield* policies.validating.compileAll();
}
