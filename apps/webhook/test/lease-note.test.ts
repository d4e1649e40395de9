import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { expect, test } from 'vitest';
import { Lease } from '../src/cluster/lease.ts';

test('a holder leaves its note to the next one, and without a note that of the former', async () => {
  let stored: KubernetesObject | undefined;
  const client = {
    find: () => Promise.resolve(stored),
    ask(_: string, { body = '' }: { readonly body?: string } = {}) {
      stored = JSON.parse(body) as KubernetesObject;
      return Promise.resolve(body);
    },
  };
  const lease = (identity: string, note: string | undefined): Lease =>
    new Lease(client, { namespace: 'n', name: 'l', identity, note: () => note }, () => undefined);
  for (const [identity, note, found] of [
    ['a', 'first', ''],
    ['b', undefined, 'first'],
    ['c', 'third', 'first'],
    ['d', undefined, 'third'],
  ] as const) {
    const one = lease(identity, note);
    await one.attempt();
    expect(one.isHeld).toBe(true);
    expect(one.note).toBe(found);
    await one.attempt();
    expect(one.note).toBe(found);
    await one.stop();
  }
});
