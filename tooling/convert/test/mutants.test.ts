import { expect, test } from 'vitest';
import { plant } from '../src/plant.ts';
import { searchEquals, searchMutants } from '../src/search-mutants.ts';

test('one change at a time', () => {
  expect(
    plant('object.spec.replicas <= 5').map(({ kind, changed }) => `${kind}: ${changed}`),
  ).toEqual([
    'operator: object.spec.replicas < 5',
    'limit: object.spec.replicas <= 6',
    'negation: !(object.spec.replicas <= 5)',
  ]);
});

test('the search finds 95 of 100 planted changes, here of a sample', async () => {
  const searched = await searchMutants(40);
  const missed = searched.filter(({ differs }) => !differs).map(({ changed }) => changed);
  expect(searched.length).toBeGreaterThan(35);
  expect(missed.length).toBeLessThanOrEqual(searched.length * 0.05);
});

test('between equal policies the search finds nothing, here of a sample', async () => {
  const searched = await searchEquals(10);
  expect(searched.length).toBeGreaterThan(8);
  expect(searched.filter(({ differs }) => differs)).toEqual([]);
});
