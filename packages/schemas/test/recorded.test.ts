import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadSchemas, type Schemas } from '@kubeadmit/schemas';
import { decodeAll } from '@kubeadmit/schemas/internal';
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
      const cases = readFileSync(folder + file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Case);
      for (const { id, kubernetesVersion, resources, ...answer } of cases) {
        const of = kubernetesVersion ? await loadSchemas({ version: kubernetesVersion }) : schemas;
        expect({ id, ...decodeAll(of, resources) }).toEqual({ id, ...answer });
      }
    });
  }

  it('leaves the manifests as they were', () => {
    const text = readFileSync(`${folder}kinds.ndjson`, 'utf8');
    for (const line of text.trim().split('\n')) {
      const { resources } = JSON.parse(line) as Case;
      const before = JSON.stringify(resources);
      decodeAll(schemas, resources);
      expect(JSON.stringify(resources)).toBe(before);
    }
  });
});
