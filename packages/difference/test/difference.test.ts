import { readFileSync } from 'node:fs';
import { loadSchemas } from '@kubeadmit/schemas';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { findDifferences } from '../src/index.ts';
import { policyOfExpression, type ResourceName } from '../src/internal.ts';

/** One policy and changes of its expression, each with whether a search has to notice it. */
interface Case {
  readonly expression: string;
  readonly resource: ResourceName;
  /** Changes after which some request is judged otherwise. */
  readonly changed: readonly string[];
  /** The same in other words. */
  readonly same?: readonly string[];
}

const cases = parse(
  readFileSync(new URL('cases/differences.yaml', import.meta.url), 'utf8'),
) as readonly Case[];
const schemas = await loadSchemas();

describe.each(cases)('$expression', ({ expression, resource, changed, same = [] }) => {
  test.each(changed)('is not %s', async (other) => {
    const { differences } = await compare(expression, other, resource);
    expect(differences.length).toBe(1);
  });

  test.each([expression, ...same])('is %s', async (other) => {
    const found = await compare(expression, other, resource);
    expect(found.differences).toEqual([]);
    expect(found.generated).toBeGreaterThan(200);
    expect(found.covered).toEqual({ old: 1, new: 1, of: { old: 1, new: 1 } });
  });
});

test('the same seed asks the same', async () => {
  const [one, other] = await Promise.all(
    [1, 2].map(() => compare('object.spec.replicas < 5', 'object.spec.replicas < 4', deployments)),
  );
  expect(one).toEqual(other);
});

test('a difference is reduced to the smallest object', async () => {
  const { differences } = await compare(
    "!has(object.metadata.labels) || !('team' in object.metadata.labels)",
    'true',
    ['', 'v1', 'configmaps'],
  );
  expect(differences[0]?.request.object).toEqual({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'grown', namespace: 'default', labels: { team: expect.anything() } },
  });
});

test('reports rejected policies, and compares nothing', async () => {
  const found = await compare('object.spec.replicas < 5', 'object.spec.replicas <', deployments);
  expect(found.requests).toBe(0);
  expect(found.refused).toMatchObject([{ side: 'new', resource: 'ValidatingAdmissionPolicy/p' }]);
});

test('kinds that nothing defines are searched with the fields of given objects', async () => {
  const order = {
    apiVersion: 'example.com/v1',
    kind: 'Order',
    metadata: { name: 'a', namespace: 'shop' },
    spec: { items: [{ count: 3 }] },
  };
  const orders = ['example.com', 'v1', 'orders'] as const;
  const policies = (operator: string): Policies =>
    policyOfExpression(`object.spec.items.all(item, item.count ${operator} 7)`, orders);
  const found = await findDifferences({
    ...common,
    old: policies('<='),
    new: policies('<'),
    resources: [order],
    likeness: 'verdicts',
  });
  expect(found.assumed).toEqual(['example.com/v1 Order']);
  expect(found.differences[0]?.request.object).toMatchObject({ spec: { items: [{ count: 7 }] } });
});

test('generates deletions if a policy matches them', async () => {
  const [old, now] = rewritten(
    ["request.operation != 'DELETE'", 'true'],
    '"UPDATE"',
    '"UPDATE","DELETE"',
  );
  const found = await findDifferences({ ...common, old, new: now });
  expect(found.differences[0]?.request).toMatchObject({ operation: 'DELETE' });
  expect(found.differences[0]?.request).not.toHaveProperty('object');
});

test('a difference in the audit log alone is reported', async () => {
  const [old, now] = rewritten(
    ['object.spec.replicas < 5', 'object.spec.replicas < 4'],
    '"Deny"',
    '"Audit"',
  );
  const found = await findDifferences({ ...common, old, new: now });
  expect(found.differences[0]).toMatchObject({
    old: { allowed: true },
    new: { allowed: true, audited: ['no'] },
  });
});

const common = { schemas, search: 1500, most: 1, clock: () => 0 };
const deployments = ['apps', 'v1', 'deployments'] as const;

type Policies = ReturnType<typeof policyOfExpression>;

/** The policies of two expressions, with one text in each replaced. */
function rewritten(
  expressions: readonly [string, string],
  from: string,
  to: string,
): readonly [Policies, Policies] {
  const policies = (expression: string): Policies =>
    JSON.parse(JSON.stringify(policyOfExpression(expression, deployments)).replace(from, to));
  return [policies(expressions[0]), policies(expressions[1])];
}

function compare(old: string, now: string, resource: Case['resource']) {
  return findDifferences({
    ...common,
    old: policyOfExpression(old, resource),
    new: policyOfExpression(now, resource),
  });
}
