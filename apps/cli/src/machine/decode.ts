import { decodeAll } from '@kubeadmit/schemas';
import { clusterOf } from './fields.ts';
import type { Answerer } from './lines.ts';
import { createSchemaSource } from './schemas.ts';

/** Answers the cases of `kubeadmit decode -`. */
export function createDecodeAnswerer(): Answerer {
  const schemasOf = createSchemaSource();
  return async (input) => {
    const { resources, kubernetesVersion } = clusterOf(input);
    return { ...decodeAll(await schemasOf(kubernetesVersion), resources) };
  };
}
