import { expect, test } from 'vitest';
import { fieldSetOf } from '../src/write/field-set.ts';
import { capManagers, type Managed, managedKey } from '../src/write/managed-fields.ts';

const count = 60_000;
const managed = new Map(
  Array.from({ length: count }, (_, i): [string, Managed] => {
    const own = {
      manager: `m${i}`,
      operation: 'Update',
      apiVersion: 'v1',
      subresource: '',
      time: '2026-11-30T12:00:00Z',
      fields: fieldSetOf([['f:data', `f:k${i}`]]),
    };
    return [managedKey(own), own];
  }),
);

// An object may come with as many managers as fit into a request.
test('joins the fields of many managers in less than a minute', () => {
  const capped = [...capManagers(managed).values()];
  expect(capped).toHaveLength(10);
  const joined = capped.find(({ manager }) => manager === 'ancient-changes');
  expect(joined?.fields.get('f:data')?.children.size).toBe(count - 9);
}, 60_000);
