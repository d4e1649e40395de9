import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { metadataString } from '@kubeadmit/apimachinery';
import { folderUntil } from '@kubeadmit/test-support';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { ApiClient } from '../src/cluster/api-client.ts';
import { Backoff } from '../src/cluster/backoff.ts';
import { Reflector } from '../src/cluster/reflector.ts';
import { stalenessCheck } from '../src/cluster/staleness.ts';
import { createLog } from '../src/logging/log.ts';
import { type FakeApiServer, startApiServer } from './harness/api-server.ts';

const path = '/api/v1/configmaps';
const folder = folderUntil(afterAll);
let server: FakeApiServer;
let reflector: Reflector;

beforeEach(async () => {
  server = await startApiServer(path);
  for (const name of ['a', 'b', 'c']) server.put({ metadata: { name } });
  const kubeconfig = join(folder, 'kubeconfig');
  const cluster = {
    name: 'c',
    cluster: { server: `http://127.0.0.1:${server.port}`, 'insecure-skip-tls-verify': true },
  };
  const context = { name: 'c', context: { cluster: 'c', user: 'u' } };
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'c' },
      ...{ clusters: [cluster], contexts: [context], users: [{ name: 'u', user: { token: 't' } }] },
    }),
  );
  const client = await ApiClient.open({ kind: 'kubeconfig', file: kubeconfig });
  const collection = { path, apiVersion: 'v1', kind: 'ConfigMap' };
  reflector = new Reflector(
    collection,
    client,
    { changed: () => undefined },
    createLog({ write: () => undefined }),
  );
  void reflector.run();
  await expect.poll(names).toEqual(['a', 'b', 'c']);
});

afterEach(() => {
  reflector.stop();
  server.stop();
  rmSync(join(folder, 'kubeconfig'));
});

function names(): string[] {
  return [...reflector.objects].map((object) => metadataString(object, 'name')).sort();
}

const lists = (): number => server.requests.filter((each) => !each.includes('watch=true')).length;

test('lists in pages and completes items with their kind', () => {
  expect(server.requests.slice(0, 2)).toEqual([
    `GET ${path}?limit=500`,
    `GET ${path}?limit=500&continue=2`,
  ]);
  expect([...reflector.objects][0]).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' });
});

test('follows added, changed and deleted objects', async () => {
  server.put({ metadata: { name: 'd' } });
  server.remove('a');
  await expect.poll(names).toEqual(['b', 'c', 'd']);
});

test('resumes a watch that was cut, without listing again', async () => {
  await expect.poll(() => server.requests.some((each) => each.includes('watch=true'))).toBe(true);
  const before = lists();
  server.cut();
  await expect
    .poll(() => server.requests.filter((each) => each.includes('watch=true')).length)
    .toBe(2);
  server.put({ metadata: { name: 'e' } });
  await expect.poll(names).toEqual(['a', 'b', 'c', 'e']);
  expect(lists()).toBe(before);
});

test('lists again when the server has forgotten', async () => {
  await expect.poll(() => server.requests.some((each) => each.includes('watch=true'))).toBe(true);
  const before = lists();
  server.remove('b');
  server.forget();
  server.cut();
  server.put({ metadata: { name: 'f' } });
  await expect.poll(names).toEqual(['a', 'c', 'f']);
  expect(lists()).toBeGreaterThan(before);
});

test('keeps its state while the server fails, and reports the failure', async () => {
  server.fail(500);
  server.cut();
  await expect.poll(() => reflector.problem).not.toBe('');
  expect(names()).toEqual(['a', 'b', 'c']);
  server.fail(200);
  server.put({ metadata: { name: 'g' } });
  await expect.poll(names).toEqual(['a', 'b', 'c', 'g']);
  await expect.poll(() => reflector.problem).toBe('');
});

test('an error is cleared when a watch begins, even without a change', async () => {
  server.fail(500);
  server.cut();
  await expect.poll(() => reflector.problem).not.toBe('');
  server.fail(200);
  await expect.poll(() => reflector.problem).toBe('');
});

test('waits longer after each failure, up to half a minute', () => {
  const backoff = new Backoff(() => 1);
  const waits = Array.from({ length: 9 }, () => backoff.next());
  expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  backoff.reset();
  expect(backoff.next()).toBe(500);
});

test('counts lists and errors, and measures how long the server has been silent', async () => {
  expect(reflector.state).toMatchObject({ resource: 'v1/configmaps', relists: 0, errors: 0 });
  expect(reflector.state.ageSeconds).toBeLessThan(5);
  const before = reflector.state.errors;
  server.fail(401);
  server.cut();
  await expect.poll(() => reflector.state.errors).toBeGreaterThan(before);
  const { ageSeconds } = reflector.state;
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(reflector.state.ageSeconds).toBeGreaterThan(ageSeconds);
  server.fail(200);
  server.forget();
  await expect.poll(() => reflector.state.relists, { timeout: 20_000 }).toBe(1);
});

test.each([
  [[10, 20], false, '', true],
  [[10, 400], true, 'no event for 300 s: v1/b (400 s)', true],
  [[400, 500], false, 'no event for 300 s: v1/a (400 s), v1/b (500 s)', true],
  [[400, 500], true, 'no event for 300 s: v1/a (400 s), v1/b (500 s)', false],
])(
  'watches that have been silent for %j seconds, failing: %j',
  (ages, fails, problem, isTolerated) => {
    const watches = ages.map((ageSeconds, index) => ({
      resource: `v1/${'ab'[index]}`,
      ageSeconds,
      relists: 0,
      errors: 0,
    }));
    expect(stalenessCheck(watches, { maxSeconds: 300, fails })).toEqual({
      name: 'staleness',
      problem,
      isTolerated,
    });
  },
);
