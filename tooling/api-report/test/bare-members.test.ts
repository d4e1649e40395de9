import { expect, test } from 'vitest';
import { bareMembers } from '../src/bare-members.ts';

test('every public member of a type is told of', () => {
  const { bare, all } = bareMembers();
  expect(bare).toEqual([]);
  expect(all).toBeGreaterThan(1000);
});
