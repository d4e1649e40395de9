import { expect, test } from 'vitest';
import { LastChanges } from '../src/policies/last-changes.ts';

test('keeps every live namespace, and only the latest 1,000 deleted ones', () => {
  const changes = new LastChanges<number>();
  changes.set('live', 0, false);
  changes.set('again', 0, true);
  for (let count = 0; count < 5_000; count++) changes.set(`deleted-${count}`, count, true);
  changes.set('again', 1, false);
  const names = [...changes.entries()].map(([name]) => name);
  expect(names).toHaveLength(1_002);
  expect(changes.get('live')).toBe(0);
  expect(changes.get('again')).toBe(1);
  expect(changes.get('deleted-3999')).toBeUndefined();
  expect(changes.get('deleted-4000')).toBe(4_000);
});

test('forgets a namespace that is deleted more than once in the order of its last deletion', () => {
  const changes = new LastChanges<number>();
  changes.set('first', 0, true);
  for (let count = 0; count < 999; count++) changes.set(`deleted-${count}`, count, true);
  changes.set('first', 1, true);
  changes.set('another', 0, true);
  expect(changes.get('first')).toBe(1);
  expect(changes.get('deleted-0')).toBeUndefined();
});
