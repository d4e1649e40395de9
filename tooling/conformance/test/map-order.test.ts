import { expect, test } from 'vitest';
import { inAnyOrder, withoutMapOrder } from '../src/map-order.ts';

test.each([
  [
    'paths',
    'invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.b, .spec.a',
    'invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.a, .spec.b',
  ],
  [
    'lines',
    'to typed object: errors:\n  .spec.b: expected list\n  .spec.a: expected map',
    'to typed object: errors:\n  .spec.a: expected map\n  .spec.b: expected list',
  ],
  [
    'types',
    'type mismatch: unexpected type name "b", expected "x"\nunexpected type name "a", expected "y"',
    'type mismatch: unexpected type name "a", expected "y"\nunexpected type name "b", expected "x"',
  ],
  ['other texts', 'b, a\nerrors: b\na', 'b, a\nerrors: b\na'],
])('%s', (_, text, sorted) => {
  expect(withoutMapOrder({ status: { causes: [{ message: text }], code: 403 } })).toEqual({
    status: { causes: [{ message: sorted }], code: 403 },
  });
});

test('names of the global objects stay unchanged', () => {
  const value = JSON.parse('{"__proto__":{"a":null},"constructor":[1,true]}');
  expect(JSON.stringify(withoutMapOrder(value))).toBe(JSON.stringify(value));
});

test('treats lists with the same elements as equal in any order', () => {
  const answer = { object: ['b', 'a'], definition: [{ x: [2, 1] }] };
  expect(inAnyOrder(answer)).toEqual({ object: ['a', 'b'], definition: [{ x: [1, 2] }] });
});
