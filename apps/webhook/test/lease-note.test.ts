import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { expect, test } from 'vitest';
import { sinceOf } from '../src/background/background.ts';
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

const start = '2026-02-01T00:00:00.000Z';

test.each([
  ['2026-01-31T12:00:00.000Z', '2026-01-31T12:00:00.000Z'],
  ['2026-01-31T12:00:00+02:00', '2026-01-31T10:00:00.000Z'],
  ['', start],
  ['yesterday', start],
  ['zzz', start],
])('with the note %j, changes since %s may have been missed', (note, since) => {
  expect(sinceOf(note, Date.parse(start))).toBe(since);
});
