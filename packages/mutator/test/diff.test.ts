import { describe, expect, test } from 'vitest';
import { applyJsonPatch } from '../src/json-patch/apply-json-patch.ts';
import { diffJson } from '../src/json-patch/diff.ts';
import type { Json } from '../src/json-patch/operation.ts';

// A small generator with a fixed seed, so that every run sees the same values.
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function randomJson(random: () => number, depth: number): Json {
  const choice = Math.floor(random() * (depth > 0 ? 6 : 4));
  if (choice === 0) return null;
  if (choice === 1) return Math.floor(random() * 4);
  if (choice < 4) return ['a', 'b', 'c'][choice - 1] ?? '';
  const size = Math.floor(random() * 5);
  const items = Array.from({ length: size }, () => randomJson(random, depth - 1));
  if (choice === 4) return items;
  const keys = ['a', 'b/c', '~d', '__proto__', 'constructor'];
  return Object.fromEntries(items.map((item, i) => [keys[i] ?? '', item]));
}

describe('diffJson', () => {
  test('turns the first value into the second when applied', () => {
    const random = generator(7);
    for (let i = 0; i < 3000; i++) {
      const from: Json = { x: randomJson(random, 4) };
      const to: Json = { x: randomJson(random, 4) };
      const operations = diffJson(from, to);
      const result = applyJsonPatch(from, operations);
      expect(result, JSON.stringify({ from, to, operations })).toEqual({
        outcome: 'patched',
        document: to,
      });
    }
  });

  test.each([
    [{ a: [1, 2, 3] }, { a: [0, 1, 2, 3] }, [{ op: 'add', path: '/a/0', value: 0 }]],
    [{ a: [1, 2, 3] }, { a: [1, 3] }, [{ op: 'remove', path: '/a/1' }]],
    [{ a: { b: 1 } }, { a: { b: 2 } }, [{ op: 'replace', path: '/a/b', value: 2 }]],
    [{ 'a/b~': 1 }, {}, [{ op: 'remove', path: '/a~1b~0' }]],
    [{ a: 1 }, { a: 1 }, []],
    // A sidecar is inserted first, and the existing containers change too.
    [
      { c: [{ name: 'web' }, { name: 'proxy', image: 'p:1', args: ['--listen', '--verbose'] }] },
      {
        c: [
          { name: 'audit' },
          { name: 'web', pull: 'Always' },
          { name: 'proxy', image: 'p:2', args: ['--listen', '--verbose'] },
        ],
      },
      [
        { op: 'replace', path: '/c/1/image', value: 'p:2' },
        { op: 'add', path: '/c/0/pull', value: 'Always' },
        { op: 'add', path: '/c/0', value: { name: 'audit' } },
      ],
    ],
  ])('%j to %j', (from, to, operations) => {
    expect(diffJson(from, to)).toEqual(operations);
  });
});

test.each<[Json | undefined, Json | undefined, string]>([
  [undefined, {}, 'first'],
  [{}, undefined, 'second'],
])('undefined is no JSON: %j to %j', (from, to, which) => {
  const expected = new TypeError(`diffJson takes two JSON values; the ${which} is undefined`);
  expect(() => diffJson(from as Json, to as Json)).toThrow(expected);
});
