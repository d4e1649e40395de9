import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { decodeAll, loadSchemas, type Schemas } from '@kubeadmit/schemas';
import { beforeAll, describe, expect, it } from 'vitest';

interface Case {
  readonly id: string;
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
    it(file, () => {
      const cases = readFileSync(folder + file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Case);
      for (const { id, resources, ...answer } of cases) {
        expect({ id, ...decodeAll(schemas, resources) }).toEqual({ id, ...answer });
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
