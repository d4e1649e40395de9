import { describe, expect, test } from 'vitest';
import { statusWithConditions } from '../src/status/conditions.ts';
import { contains } from '../src/status/contains.ts';
import { ScanPermissions } from '../src/status/scan-permissions.ts';
import type { WantedStatus } from '../src/status/wanted-status.ts';

const now = '2026-09-01T00:00:00Z';
const earlier = '2026-08-01T00:00:00Z';

const wanted: WantedStatus = {
  path: '/apis/policies.kyverno.io/v1/validatingpolicies/p',
  uid: 'u',
  generation: 1,
  isInUse: true,
  current: undefined,
  fields: { autogen: {} },
  isCel: true,
  isForRequests: true,
  scanned: [],
};

function conditionsOf(parts: Partial<WantedStatus>, missing: readonly string[] = []): unknown {
  const { conditionStatus } = statusWithConditions({ ...wanted, ...parts }, {}, { missing, now });
  return conditionStatus;
}

const condition = (type: string, status: string, message: string): object => ({
  type,
  status,
  message,
  reason: status === 'True' ? 'Succeeded' : 'Failed',
  lastTransitionTime: now,
});
const configured = condition('WebhookConfigured', 'True', 'Webhook configured.');
const readable = condition('RBACPermissionsGranted', 'True', 'Policy is ready for reporting.');

describe('the conditions of a policy', () => {
  test.each<[string, Partial<WantedStatus>, readonly string[], boolean, readonly object[]]>([
    ['in use', {}, [], true, [configured, readable]],
    [
      'that is not in use',
      { isInUse: false },
      [],
      false,
      [
        condition('WebhookConfigured', 'False', 'Policy is not configured in the webhook.'),
        readable,
      ],
    ],
    ['for scans alone', { isForRequests: false }, [], true, [readable]],
    [
      'without scans',
      { scanned: undefined },
      [],
      true,
      [
        configured,
        condition(
          'RBACPermissionsGranted',
          'True',
          'Background scanning disabled; reporting permissions not required.',
        ),
      ],
    ],
    [
      'whose resources scans may not read',
      {},
      ['get /v1, Resource=pods: ', 'list /v1, Resource=pods: '],
      false,
      [
        configured,
        condition(
          'RBACPermissionsGranted',
          'False',
          'Policy is not ready for reporting, missing permissions: get /v1, Resource=pods: ; list /v1, Resource=pods: .',
        ),
      ],
    ],
  ])('%s', (_, parts, missing, ready, conditions) => {
    expect(conditionsOf(parts, missing)).toEqual({ conditions, message: '', ready });
  });

  test('keep their time while their status is the same, and conditions of others stay', () => {
    const before = {
      conditions: [
        { type: 'Other', status: 'False' },
        { type: 'Ready', status: 'True', lastTransitionTime: earlier },
      ],
    };
    const classic = { ...wanted, isCel: false };
    const [other, ready] = statusWithConditions(classic, before, { missing: [], now })[
      'conditions'
    ] as readonly object[];
    expect(other).toEqual({ type: 'Other', status: 'False' });
    expect(ready).toMatchObject({ message: 'Ready', lastTransitionTime: earlier });
    const failed = { ...classic, isInUse: false };
    expect(statusWithConditions(failed, before, { missing: [], now })['conditions']).toContainEqual(
      condition('Ready', 'False', 'Not Ready'),
    );
  });
});

test.each([
  [{ a: 1, b: 2 }, { a: 1 }, true],
  [{ a: [1] }, { a: [1, 2] }, false],
  [{ a: [{ b: 1, c: 2 }] }, { a: [{ b: 1 }] }, true],
  [{ a: {} }, { a: { b: 1 } }, false],
  [undefined, { a: 1 }, false],
])('%j contains %j: %s', (stored, part, expected) => {
  expect(contains(stored, part)).toBe(expected);
});

test('each permission is requested once, and missing ones are listed as Kyverno lists them', async () => {
  const asked: string[] = [];
  const permissions = new ScanPermissions({
    ask: async (_, { body = '' } = {}) => {
      asked.push(body);
      return JSON.stringify({ status: { allowed: !body.includes('"watch"'), reason: 'no' } });
    },
  });
  const pods = { group: 'apps', version: 'v1', resource: 'deployments' };
  const missing = ['watch apps/v1, Resource=deployments: no'];
  expect(await permissions.missing([pods])).toEqual(missing);
  expect(await permissions.missing([pods])).toEqual(missing);
  expect(asked).toHaveLength(3);
});
