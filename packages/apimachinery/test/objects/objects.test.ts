import { describe, expect, test } from 'vitest';
import {
  annotationsOf,
  isObject,
  kindOfObject,
  labelsOf,
  member,
  metadataString,
} from '../../src/index.ts';

describe('members of JSON objects', () => {
  test.each([
    [{ a: 1 }, 'a', 1],
    [{ a: 1 }, 'b', undefined],
    [{}, 'constructor', undefined],
    [JSON.parse('{"__proto__":1}'), '__proto__', 1],
    [[1], '0', undefined],
    [null, 'a', undefined],
    ['text', 'length', undefined],
  ])('of %j by %j', (value, key, expected) => {
    expect(member(value, key)).toBe(expected);
  });

  test.each([
    [{}, true],
    [Object.create(null), true],
    [[], false],
    [null, false],
    [new Map(), false],
    ['', false],
  ])('%j is one: %j', (value, expected) => {
    expect(isObject(value)).toBe(expected);
  });
});

describe('metadata', () => {
  test.each([
    [{ a: 'b' }, { a: 'b' }],
    [
      { a: null, c: 'd' },
      { a: '', c: 'd' },
    ],
    [{ a: 1, c: 'd' }, {}],
    [{}, {}],
    [null, {}],
    [['a'], {}],
  ])('labels %j are read as %j', (labels, expected) => {
    expect(labelsOf({ metadata: { labels } })).toEqual(expected);
    expect(annotationsOf({ metadata: { annotations: labels } })).toEqual(expected);
  });

  test('without it there are no strings and no labels', () => {
    expect(labelsOf({})).toEqual({});
    expect(metadataString({}, 'name')).toBe('');
    expect(metadataString({ metadata: { name: 1 } }, 'name')).toBe('');
    expect(metadataString({ metadata: { name: 'a' } }, 'name')).toBe('a');
  });
});

test.each([
  [
    { apiVersion: 'apps/v1', kind: 'Deployment' },
    { group: 'apps', version: 'v1', kind: 'Deployment' },
  ],
  [{ kind: 'X' }, { group: '', version: '', kind: 'X' }],
  [
    { apiVersion: null, kind: 'X' },
    { group: '', version: '', kind: 'X' },
  ],
  [{ apiVersion: 'a/b/c', kind: 'X' }, undefined],
  [{ apiVersion: 1, kind: 'X' }, undefined],
  [{ apiVersion: 'v1' }, undefined],
  [null, undefined],
])('the kind of %j is read', (object, expected) => {
  expect(kindOfObject(object)).toEqual(expected);
});
