import { expect, test } from 'vitest';
import { bareMembers } from '../../src/api-report/bare-members.ts';

test('reports every public name, member and union alternative', () => {
  const { bare, all } = bareMembers();
  expect(bare).toEqual([]);
  expect(all).toBeGreaterThan(1500);
});
