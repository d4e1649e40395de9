import { describe, expect, test } from 'vitest';
import { Double, Uint, type Value } from '../src/index.ts';
import { CelMap, isEqual, mapGet, mapKeys, mapSize } from '../src/values.ts';

describe('CelMap', () => {
  test('keeps keys of different types of numbers apart', () => {
    const map = new CelMap();
    map.set(1, 'int');
    map.set(new Uint(1n), 'uint');
    map.set(new Double(1), 'double');
    expect(map.size).toBe(3);
    expect([1, new Uint(1n), new Double(1)].map((key) => map.get(key))).toEqual([
      'int',
      'uint',
      'double',
    ]);
  });

  test.each<[stored: Value, asked: Value, found: boolean]>([
    [1, new Uint(1n), true],
    [1, new Double(1), true],
    [1, 1.5, false],
    [new Uint(1n), 1, true],
    [new Uint(1n), new Double(1), true],
    [new Double(1), 1, false],
    [2n ** 60n, new Uint(2n ** 60n), true],
    [2n ** 60n, new Double(2 ** 60), true],
    [true, 1, false],
    ['1', 1, false],
    [Number.NaN, Number.NaN, false],
  ])('stored under %s and asked for %s', (stored, asked, found) => {
    const map = new CelMap();
    map.set(stored, 'value');
    expect(map.get(asked)).toBe(found ? 'value' : undefined);
  });

  test('replaces the value of a key that it has, in its place', () => {
    const map = new CelMap();
    map.set('a', 1);
    map.set('b', 2);
    map.set('a', 3);
    expect(map.keys).toEqual(['a', 'b']);
    expect(map.values).toEqual([3, 2]);
  });
});

describe('maps of both forms', () => {
  const plain = JSON.parse('{"a": 1, "__proto__": 2, "constructor": 3}') as Record<string, Value>;

  test('see own properties only', () => {
    expect(mapKeys(plain)).toEqual(['a', '__proto__', 'constructor']);
    expect(mapSize(plain)).toBe(3);
    expect(mapGet(plain, '__proto__')).toBe(2);
    expect(mapGet(plain, 'toString')).toBeUndefined();
    expect(mapGet(plain, 1)).toBeUndefined();
  });

  test('are equal when their entries are', () => {
    const map = new CelMap();
    for (const [key, value] of Object.entries(plain)) map.set(key, value);
    expect(isEqual(plain, map)).toBe(true);
    expect(isEqual(map, plain)).toBe(true);
    map.set('b', 1);
    expect(isEqual(plain, map)).toBe(false);
  });
});
