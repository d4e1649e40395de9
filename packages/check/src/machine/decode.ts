import { decodeAll } from '@kubeadmit/schemas/internal';
import type { Answerer } from './case.ts';
import { clusterOf } from './fields.ts';
import { createSchemaSource } from './schema-source.ts';

/** Answers the cases of `kubeadmit decode -`. */
export function createDecodeAnswerer(): Answerer {
  const schemasOf = createSchemaSource();
  return async (input) => {
    const { resources, kubernetesVersion } = clusterOf(input);
    return { ...decodeAll(await schemasOf(kubernetesVersion), resources) };
  };
}
