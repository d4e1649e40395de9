import { createHash } from 'node:crypto';
import { readImageReference } from '@kubeadmit/kyverno/images';
import { expect, test } from 'vitest';
import { ImageStore, RequestImages, VerificationFailure } from '../../src/index.ts';
import { BoundedCache } from '../../src/live/bounded-cache.ts';
import { FetchSlots } from '../../src/live/fetch-slots.ts';
import type { RemoteRegistry } from '../../src/registry/record.ts';
import { RegistryError } from '../../src/registry/registry.ts';
import { DownloadError, UnreachableError } from '../../src/remote/download.ts';

const bytes = Buffer.from('{}');
const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
const manifest = { mediaType: '', digest, bytes };

function referenceOf(name: string) {
  const reference = readImageReference(name);
  if (typeof reference === 'string') throw new Error(reference);
  return reference;
}

/** A store over a registry whose manifests a test answers, with a clock that the test moves. */
function makeStore(answer: () => Promise<typeof manifest | undefined>) {
  const state = { now: 0, reads: 0 };
  const registry: RemoteRegistry = {
    manifest: () => {
      state.reads++;
      return answer();
    },
    blob: async () => bytes,
    referrers: async () => undefined,
  };
  const store = new ImageStore({ registry, tagMilliseconds: 60_000, now: () => state.now });
  return { store, state };
}

const never = new Promise<void>(() => undefined);
const image = referenceOf('registry.example/app:1');

test.each([
  ['a tag for the time of tags', 'registry.example/app:1', manifest, 60_000],
  ['a digest for an hour', `registry.example/app@${digest}`, manifest, 3_600_000],
  ['a missing tag for five seconds', 'registry.example/app:1', undefined, 5_000],
])('keeps %s', async (_, name, answer, milliseconds) => {
  const { store, state } = makeStore(async () => answer);
  const question = { kind: 'manifest', image: referenceOf(name) } as const;
  await store.fetch(question);
  state.now = milliseconds - 1;
  expect(store.recall(question)).toEqual({ content: answer });
  state.now = milliseconds;
  expect(store.recall(question)).toBeUndefined();
  await store.fetch(question);
  expect(state.reads).toBe(2);
});

test('reads a part once for requests at the same time', async () => {
  const { store, state } = makeStore(async () => manifest);
  const requests = [1, 2, 3].map(() => new RequestImages(store));
  for (const request of requests) {
    expect(() => request.manifest(image)).toThrow('the time limit of the request has passed');
  }
  await Promise.all(requests.map((request) => request.answer(never)));
  expect(requests.map((request) => request.manifest(image))).toEqual([
    manifest,
    manifest,
    manifest,
  ]);
  expect(state.reads).toBe(1);
});

test.each([
  ['failure', new DownloadError('500'), VerificationFailure],
  ['failure', new RegistryError('digest mismatch'), VerificationFailure],
  ['error', new UnreachableError('refused'), RegistryError],
])('an answer that cannot be used is a %s, which is not kept', async (_, problem, type) => {
  const { store, state } = makeStore(() => Promise.reject(problem));
  for (const reads of [1, 2]) {
    const request = new RequestImages(store);
    expect(() => request.manifest(image)).toThrow('the time limit of the request has passed');
    await request.answer(never);
    expect(() => request.manifest(image)).toThrow(type);
    expect(state.reads).toBe(reads);
  }
});

test('a request gives up at its time limit, and the next one has the answer', async () => {
  let finish: (found: typeof manifest) => void = () => undefined;
  const slow = new Promise<typeof manifest>((resolve) => {
    finish = resolve;
  });
  const { store } = makeStore(() => slow);
  const request = new RequestImages(store);
  expect(() => request.manifest(image)).toThrow('the time limit of the request has passed');
  await request.answer(Promise.resolve());
  expect(() => request.manifest(image)).toThrow('the time limit of the request has passed');
  expect(request.hasOpenQuestions).toBe(false);
  finish(manifest);
  await store.fetch({ kind: 'manifest', image });
  expect(new RequestImages(store).manifest(image)).toEqual(manifest);
});

test('a request sees the same answer until its end', async () => {
  const { store, state } = makeStore(async () => manifest);
  const request = new RequestImages(store);
  expect(() => request.manifest(image)).toThrow('the time limit of the request has passed');
  await request.answer(never);
  state.now = 3_600_000;
  expect(request.manifest(image)).toEqual(manifest);
});

test('refuses content that is too large', async () => {
  const { store } = makeStore(async () => manifest);
  const descriptor = { mediaType: '', digest, size: 2 ** 30, artifactType: '', annotations: {} };
  const outcome = await store.fetch({ kind: 'blob', repository: image, descriptor });
  expect(outcome).toMatchObject({ error: expect.any(VerificationFailure) });
  expect(JSON.stringify(String('error' in outcome && outcome.error))).toContain(
    'more than 16777216',
  );
});

test('a cache stays within its size and removes what was not used', () => {
  const cache = new BoundedCache<string>({ bytes: 4000, now: () => 0 });
  for (const key of ['a', 'b', 'c']) cache.set(key, key, 500, 1);
  cache.get('a');
  cache.set('d', 'd', 1000, 1);
  expect(['a', 'b', 'c', 'd'].filter((key) => cache.get(key) !== undefined)).toEqual([
    'a',
    'c',
    'd',
  ]);
  expect(cache.bytes).toBe(3500);
  cache.set('e', 'e', 4000, 1);
  expect(cache.get('e')).toBeUndefined();
  for (let at = 0; at < 1000; at++) cache.set(String(at), '', 500, 1);
  expect(cache.bytes).toBeLessThanOrEqual(4000);
});

test('one host cannot take all places', async () => {
  const slots = new FetchSlots({ total: 3, perHost: 2 });
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const work = (name: string) => () => {
    started.push(name);
    return new Promise<void>((resolve) => ends.push(resolve));
  };
  const all = [
    ...['slow-1', 'slow-2', 'slow-3'].map((name) => slots.run('slow', work(name))),
    ...['fast-1', 'fast-2'].map((name) => slots.run('fast', work(name))),
  ];
  await Promise.resolve();
  expect(started).toEqual(['slow-1', 'slow-2', 'fast-1']);
  while (ends.length > 0) {
    ends.shift()?.();
    await new Promise(setImmediate);
  }
  await Promise.all(all);
  expect(started.toSorted()).toEqual(['fast-1', 'fast-2', 'slow-1', 'slow-2', 'slow-3']);
});
