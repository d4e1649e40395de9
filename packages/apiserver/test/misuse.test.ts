import { expect, test } from 'vitest';
import { createApiServer } from '../src/index.ts';
import { MemoryStore } from '../src/store.ts';

const store = new MemoryStore();
const clock = { now: () => 0, sleep: async () => undefined };
const randomUid = () => '';

test.each<[unknown, string]>([
  [undefined, 'createApiServer: expected options as an object, got undefined'],
  ['1.37', 'createApiServer: expected options as an object, got the string "1.37"'],
  [{}, 'createApiServer: `store` is undefined'],
  [{ store }, 'createApiServer: `schemas` is undefined'],
  [{ store, schemas: Promise.resolve({}) }, 'createApiServer: `schemas` is a Promise (await it)'],
  [{ store, schemas: {} }, 'createApiServer: `clock` is undefined'],
  [{ store, schemas: {}, clock }, 'createApiServer: `randomUid` is undefined'],
  [
    { store, schemas: {}, clock, randomUid: randomUid() },
    'createApiServer: `randomUid` is the string ""',
  ],
])('a server needs its options: %#', (given, problem) => {
  expect(() => createApiServer(given as never)).toThrow(new TypeError(problem));
});
