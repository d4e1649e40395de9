// Calls of the matchers that the type checker must accept or reject; the test fails otherwise.

import type { TestCluster } from '@kubeadmit/testing';
import { expect } from 'vitest';
import '../src/jest.ts';
import '../src/vitest.ts';
import { policyMatchers, testCluster } from '../src/index.ts';

/** A test of policies with every matcher. */
export async function inVitest(): Promise<void> {
  const cluster: TestCluster = await testCluster({ resources: ['a'] });
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } };
  const update = { operation: 'UPDATE', object: pod, oldObject: pod } as const;
  expect(cluster).toAdmit(pod);
  expect(cluster).toAdmit('a text of YAML', { policy: 'a', binding: 'b', warnings: [/w/, 'w'] });
  expect(cluster).not.toDeny(update, { message: 'no', reason: 'Invalid', code: 422 });
  expect(cluster).toDeny(update, { message: /no/, validations: [0, 2] });
  expect(cluster).toWarn(update, { validations: 1 });
  expect(cluster).toAudit(update, { rule: 'a' });
  expect(cluster).toMutate(update, { object: { spec: { replicas: null } }, patch: [] });
  expect(cluster).toIgnore(update);
  expect(cluster).toFailOn(update, { message: 'no such key' });
  expect(cluster).toRefuse(update, { message: 'unknown field' });
  expect({ cluster }).toEqual({ cluster: expect.anything() });

  // @ts-expect-error a request has to be there
  expect(cluster).toDeny();
  // @ts-expect-error a field that is called otherwise
  expect(cluster).toDeny(update, { mesage: 'no' });
  // @ts-expect-error a message must be a string
  expect(cluster).toDeny(update, { message: 1 });
  // @ts-expect-error an admitted request has no message
  expect(cluster).toAdmit(update, { message: 'no' });
  // @ts-expect-error there is no such matcher
  expect(cluster).toAllow(update);
  // @ts-expect-error policies have to be there
  await testCluster({});
}

/** The same matchers, as Jest declares the result of `expect`. */
export function inJest(answer: jest.Matchers<void>, awaited: jest.Matchers<Promise<void>>): void {
  answer.toDeny({ apiVersion: 'v1', kind: 'Pod' }, { message: 'no' });
  const later: Promise<void> = awaited.toAdmit('a text of YAML');
  void later;
  // @ts-expect-error a request has to be there
  answer.toDeny();
  // @ts-expect-error there is no such matcher
  answer.toAllow('a');
}

/** `expect.extend` accepts all of them. */
export const extended: Parameters<typeof expect.extend>[0] = policyMatchers;
