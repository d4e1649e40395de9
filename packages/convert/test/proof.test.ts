import { readFileSync } from 'node:fs';
import type { JsonObject } from '@kubeadmit/apimachinery';
import { loadSchemas } from '@kubeadmit/schemas';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { convertPolicy, proveConversion } from '../src/index.ts';
import { orderNote } from '../src/notes/difference-notes.ts';

/** A policy that was once converted into something else without a word, and its status now. */
interface Case {
  readonly name: string;
  readonly spec: JsonObject;
  readonly related?: readonly JsonObject[];
  readonly statuses: readonly string[];
  /** A part of the reason of the first rule. */
  readonly reason?: string;
}

const cases = parse(
  readFileSync(new URL('cases/proofs.yaml', import.meta.url), 'utf8'),
) as readonly Case[];
const schemas = await loadSchemas();

test.each(cases)('$name', async ({ spec, related = [], statuses, reason }) => {
  const policy = {
    apiVersion: 'kyverno.io/v1',
    kind: 'ClusterPolicy',
    metadata: {
      name: 'proofs',
      annotations: { 'pod-policies.kyverno.io/autogen-controllers': 'none' },
    },
    spec,
  };
  const conversion = convertPolicy(policy, { schemas, related });
  const options = { schemas, related, search: 300, most: 3, clock: () => 0 };
  const rules = await proveConversion(policy, conversion, options);
  expect(rules.map(({ status }) => status)).toEqual(statuses);
  if (reason === undefined) expect(rules[0]?.reason).toBeUndefined();
  else expect(rules[0]?.reason).toContain(reason);
});

test('explains a different order of merged elements by the note of an idiomatic result', async () => {
  const containers = [{ name: 'side', image: 'side:1' }];
  const rule = {
    name: 'side',
    match: { any: [{ resources: { kinds: ['v1/Pod'] } }] },
    mutate: { patchStrategicMerge: { spec: { containers } } },
  };
  const policy = {
    apiVersion: 'kyverno.io/v1',
    kind: 'ClusterPolicy',
    metadata: {
      name: 'order',
      annotations: { 'pod-policies.kyverno.io/autogen-controllers': 'none' },
    },
    spec: { rules: [rule] },
  };
  const conversion = convertPolicy(policy, { schemas, isIdiomatic: true });
  const options = { schemas, search: 300, most: 3, clock: () => 0 };
  const [proven] = await proveConversion(policy, conversion, options);
  expect(proven?.status).toBe('partial');
  expect(proven?.differences).toEqual([orderNote('containers')]);
  const reasons = proven?.proof?.differences.map((difference) => difference.reason) ?? [];
  expect([...new Set(reasons)]).toEqual([orderNote('containers').text]);
});
