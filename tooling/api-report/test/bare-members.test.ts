import { expect, test } from 'vitest';
import { bareMembers } from '../src/bare-members.ts';

test('every public name, member of a type and alternative of a union is told of', () => {
  const { bare, all } = bareMembers();
  expect(bare).toEqual([]);
  expect(all).toBeGreaterThan(1500);
});
