import { readFileSync } from 'node:fs';
import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { loadChain, passRequest } from '@kubeadmit/chain';
import { convertPolicy } from '@kubeadmit/convert';
import { loadSchemas } from '@kubeadmit/schemas';
import { describe, expect, test } from 'vitest';
import { clusterObjects } from '../src/grid/objects.ts';
import { type GridCase, gridCases } from '../src/grid/rules.ts';
import { admissionRequest, asStored, relatedOf, verdictText } from '../src/grid/verdicts.ts';

/** The verdicts of Kyverno's engine on the requests of generated policies, by the names of the policies. */
interface Recorded {
  readonly count: number;
  readonly seed: number;
  readonly verdicts: Readonly<Record<string, readonly string[]>>;
}

const recorded = JSON.parse(
  readFileSync(new URL('../data/grid.json', import.meta.url), 'utf8'),
) as Recorded;
const schemas = await loadSchemas();
const cases = gridCases(recorded.count, recorded.seed).filter(({ id }) => id in recorded.verdicts);

describe('a converted policy of the grid decides as Kyverno does', () => {
  test.each(cases)('$id', async (given) => {
    expect(await verdictsOf(given)).toEqual(recorded.verdicts[given.id]);
  });
});

async function verdictsOf(given: GridCase): Promise<readonly string[]> {
  const { objects, rules } = convertPolicy(given.policy, { schemas, related: given.related ?? [] });
  expect(rules.every(({ status }) => status === 'converted')).toBe(true);
  const resources = [...objects, ...clusterObjects, ...relatedOf(given, 'ConfigMap')];
  const chain = await loadChain({
    resources: resources as readonly KubernetesObject[],
    schemas,
    clock: () => 0,
  });
  return given.requests.map((each) => {
    const request = admissionRequest(asStored(each, schemas));
    const { allowed, findings, object } = passRequest(chain, request as never);
    const isAudited = findings.some(({ verdict }) => ['audit', 'warn'].includes(verdict));
    const outcome = !allowed ? 'deny' : isAudited ? 'audit' : 'allow';
    return verdictText(outcome, { before: each.object, after: object }, schemas);
  });
}
