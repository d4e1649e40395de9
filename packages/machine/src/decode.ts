import { timeOf } from '@kubeadmit/base';
import { decodeAll } from '@kubeadmit/schemas/unstable-internal';
import type { Answerer } from './case.ts';
import { clusterOf } from './fields.ts';
import { createSchemaSource } from './schema-source.ts';

/**
 * Answers the cases of `kubeadmit machine decode -`.
 *
 * @param clock milliseconds since 1970, for defaults such as the time at which a taint was added.
 */
export function createDecodeAnswerer(clock: () => number): Answerer {
  const schemasOf = createSchemaSource();
  return async (input) => {
    const { resources, kubernetesVersion } = clusterOf(input);
    const now = timeOf(clock);
    return { ...decodeAll(await schemasOf(kubernetesVersion), resources, { now }) };
  };
}
