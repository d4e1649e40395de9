import { readFileSync } from 'node:fs';
import type { JsonObject } from '@kubeadmit/apimachinery';
import { stringifyYaml } from '@kubeadmit/manifest';
import { loadSchemas } from '@kubeadmit/schemas';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { convertPolicy, proveConversion } from '../src/index.ts';

/** A rule or a cleanup, and why nothing comes out. */
interface Case {
  readonly name: string;
  readonly rule?: JsonObject;
  /** The spec of a ClusterCleanupPolicy. */
  readonly cleanup?: JsonObject;
  readonly reason?: string;
}

const cases = parse(
  readFileSync(new URL('cases/acting.yaml', import.meta.url), 'utf8'),
) as readonly Case[];
const schemas = await loadSchemas();

describe('a rule that acts, as a policy of Kyverno in CEL', () => {
  test.each(cases.filter(({ reason }) => reason === undefined))('$name', async (given) => {
    const policy = policyOf(given);
    const conversion = convertPolicy(policy, { schemas, target: 'kyverno' });
    const slug = given.name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
    await expect(stringifyYaml(policy)).toMatchFileSnapshot(`goldens/acting/${slug}.before.yaml`);
    const after = conversion.objects.map(stringifyYaml).join('---\n');
    await expect(after).toMatchFileSnapshot(`goldens/acting/${slug}.after.yaml`);
    const options = { schemas, search: 150, clock: () => Date.parse('2026-01-01T00:00:00Z') };
    const [rule] = await proveConversion(policy, conversion, options);
    expect(rule?.reason).toBeUndefined();
    expect(rule?.status).toBe('converted');
    // Both sides did something about some of the objects.
    expect(rule?.proof?.covered).toMatchObject({ old: 1, new: 1 });
  });

  test.each(cases.filter(({ reason }) => reason !== undefined))('$name', (given) => {
    const { objects, rules } = convertPolicy(policyOf(given), { schemas, target: 'kyverno' });
    expect(objects).toEqual([]);
    expect(rules[0]).toMatchObject({ status: 'none', reason: given.reason });
  });
});

test('a result that acts differently is found by the search', async () => {
  const policy = policyOf(cases.find(({ cleanup }) => cleanup !== undefined) as Case);
  const conversion = convertPolicy(policy, { schemas, target: 'kyverno' });
  const objects = conversion.objects.map((object) => {
    const { conditions: _, ...spec } = object['spec'] as JsonObject;
    return { ...object, spec };
  });
  const options = { schemas, search: 150, clock: () => 0 };
  const [rule] = await proveConversion(policy, { ...conversion, objects }, options);
  expect(rule?.status).toBe('partial');
});

test('a cleanup has no admission policy', () => {
  const policy = policyOf(cases.find(({ cleanup }) => cleanup !== undefined) as Case);
  const { objects, rules } = convertPolicy(policy, { schemas });
  expect(objects).toEqual([]);
  expect(rules[0]?.reason).toBe(
    'admission policies cannot delete objects on a schedule; instead: convert to a DeletingPolicy of Kyverno (`--to kyverno`)',
  );
});

function policyOf({ rule, cleanup }: Case): JsonObject {
  if (cleanup !== undefined) {
    const metadata = { name: 'cleanup' };
    return { apiVersion: 'kyverno.io/v2', kind: 'ClusterCleanupPolicy', metadata, spec: cleanup };
  }
  return {
    apiVersion: 'kyverno.io/v1',
    kind: 'ClusterPolicy',
    metadata: { name: 'rules' },
    spec: { validationFailureAction: 'Enforce', rules: [{ name: 'rule', ...rule }] },
  };
}
