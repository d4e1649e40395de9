import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadSchemas, type Schemas } from '@kubeadmit/schemas';
import { decodeAll } from '@kubeadmit/schemas/unstable-internal';
import { readLines } from '@kubeadmit/test-support';
import { beforeAll, describe, expect, it } from 'vitest';

interface Case {
  readonly id: string;
  readonly kubernetesVersion?: string;
  readonly resources: readonly unknown[];
  readonly objects: readonly unknown[];
  readonly errors?: readonly unknown[];
  readonly failure?: string;
}

const folder = fileURLToPath(new URL('../../../conformance/decode/', import.meta.url));

describe('decodeAll answers as kube-apiserver did', () => {
  let schemas: Schemas;
  beforeAll(async () => {
    schemas = await loadSchemas({ version: '1.37' });
  });

  for (const file of readdirSync(folder)) {
    it(file, async () => {
      for (const { id, kubernetesVersion, resources, ...answer } of readLines<Case>(
        folder + file,
      )) {
        const of = kubernetesVersion ? await loadSchemas({ version: kubernetesVersion }) : schemas;
        expect({ id, ...decodeAll(of, resources) }).toEqual({ id, ...answer });
      }
    });
  }

  it('leaves the manifests as they were', () => {
    for (const { resources } of readLines<Case>(`${folder}kinds.ndjson`)) {
      const before = JSON.stringify(resources);
      decodeAll(schemas, resources);
      expect(JSON.stringify(resources)).toBe(before);
    }
  });
});
