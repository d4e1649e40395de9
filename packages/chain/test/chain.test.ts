import { readFileSync } from 'node:fs';
import { readManifests, Source } from '@kubeadmit/manifest';
import { loadSchemas } from '@kubeadmit/schemas';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadChain } from '../src/chain/chain.ts';
import { mutateRequest } from '../src/chain/mutate-request.ts';
import { passMutation, passRequest } from '../src/chain/pass-request.ts';
import { readRequest } from '../src/chain/request.ts';
import { validateRequest } from '../src/chain/validate-request.ts';
import type { Finding } from '../src/index.ts';

interface ChainCase {
  readonly name: string;
  /** Names of policies in `policies.yaml`; bindings come along. */
  readonly policies: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  /** `POLICY VERDICT` of each finding. */
  readonly mutate: readonly string[];
  readonly validate: readonly string[];
  /** A part of the denial's message. */
  readonly denial?: string;
  /** The labels afterwards. */
  readonly object?: Readonly<Record<string, string>>;
}

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');
const { manifests } = readManifests(new Source('policies.yaml', read('policies.yaml')));
const cases = parse(read('chain.yaml')) as readonly ChainCase[];
const schemas = await loadSchemas();

describe.each(cases)('$name', async ({ policies, labels, mutate, validate, denial, object }) => {
  const used = manifests.filter(({ name }) => policies.includes(name));
  const resources = used.map((manifest) => manifest.object);
  const chain = await loadChain({ resources, schemas, clock: () => 0 });
  const request = {
    operation: 'CREATE',
    kind: { group: '', version: 'v1', kind: 'ConfigMap' },
    resource: { group: '', version: 'v1', resource: 'configmaps' },
    name: 'a',
    namespace: 'shop',
    userInfo: { username: 'ann' },
    object: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', namespace: 'shop', labels },
    },
  };

  test('step by step', () => {
    const given = readRequest(chain, request);
    if ('failure' in given) throw new Error(given.failure);
    const mutated = mutateRequest(given);
    expect(mutated.findings.map(told)).toEqual(mutate);
    if ('failure' in mutated.next) throw new Error(mutated.next.failure);
    const validated = validateRequest(mutated.next);
    expect(validated.findings.map(told)).toEqual(validate);
    if (denial === undefined) expect(validated.denial).toBeUndefined();
    else expect(validated.denial?.message).toContain(denial);
  });

  test('in a row', () => {
    const passage = passRequest(chain, request);
    expect(passage.findings.map(told)).toEqual([...mutate, ...validate]);
    expect(passage.allowed).toBe(denial === undefined);
    if (object !== undefined)
      expect(passage.object).toMatchObject({ metadata: { labels: object } });
    expect(passMutation(chain, request).findings.map(told)).toEqual(mutate);
  });
});

test('a request that cannot be read is refused', async () => {
  const chain = await loadChain({ resources: [], schemas, clock: () => 0 });
  expect(passRequest(chain, { operation: 'DROP' })).toMatchObject({
    allowed: false,
    failure: expect.stringContaining('operation'),
  });
});

function told({ policy, verdict }: Finding): string {
  return `${policy} ${verdict}`;
}
