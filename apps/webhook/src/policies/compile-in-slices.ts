import { setImmediate as turn } from 'node:timers/promises';
import { compilePolicies } from '@kubeadmit/admission/unstable-internal';
import type { Chain } from '@kubeadmit/chain';

// Requests of the set in use are answered in between.
const sliceMilliseconds = 5;

/**
 * Compiles all policies of a set before it is used.
 *
 * Otherwise the first request compiles the policies that it matches: a thousand of them take longer than a short
 * timeout.
 */
export async function compileInSlices({ cluster }: Chain): Promise<void> {
  let began = performance.now();
  for (const _ of compilePolicies(cluster)) {
    if (performance.now() - began < sliceMilliseconds) continue;
    await turn();
    began = performance.now();
  }
}
