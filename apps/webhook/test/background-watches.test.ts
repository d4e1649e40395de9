import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { metadataString } from '@kubeadmit/apimachinery';
import { folderUntil } from '@kubeadmit/test-support';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { type Watched, Watches, type WatchRole } from '../src/background/watches.ts';
import { ApiClient } from '../src/cluster/api-client.ts';
import { createLog } from '../src/logging/log.ts';
import { type FakeApiServer, startApiServer } from './harness/api-server.ts';

const path = '/apis/example.com/v1/widgets';
const folder = folderUntil(afterAll);
let server: FakeApiServer;
let watches: Watches;
let deleted: string[];
let notServed: number;
let synced: number;

beforeEach(async () => {
  server = await startApiServer(path);
  for (const name of ['a', 'b']) server.put({ metadata: { name } });
  deleted = [];
  notServed = 0;
  synced = 0;
  const kubeconfig = join(folder, 'kubeconfig');
  const cluster = { server: `http://127.0.0.1:${server.port}` };
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'c' },
      clusters: [{ name: 'c', cluster }],
      contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
      users: [{ name: 'u', user: { token: 't' } }],
    }),
  );
  const client = await ApiClient.open({ kind: 'kubeconfig', file: kubeconfig });
  watches = new Watches(client, createLog({ write: () => undefined }), {
    changed(object, { isDeleted }) {
      if (isDeleted) deleted.push(metadataString(object, 'name'));
    },
    synced() {
      synced++;
    },
    notServed() {
      notServed++;
    },
  });
});

afterEach(() => {
  watches.stop();
  server.stop();
});

const watched = (role: WatchRole, at = path): Watched => ({
  role,
  resource: {
    ...{ group: 'example.com', version: 'v1', kind: 'Widget', resource: 'widgets', path: at },
    ...{ apiVersion: 'example.com/v1', isNamespaced: true, verbs: new Set() },
  },
  namespace: '',
  labelSelector: '',
});

const isSynced = (): boolean => watches.isSynced;
const requests = (): number => server.requests.length;

test('treats a collection that is no longer served as unread', async () => {
  watches.follow([watched('trigger')]);
  await expect.poll(() => requests()).toBe(2);
  await expect.poll(isSynced).toBe(true);
  server.fail(404);
  server.cut();
  await expect.poll(() => notServed).toBeGreaterThan(0);
  expect(watches.unread('trigger')).toHaveLength(1);
  expect(deleted).toEqual([]);
  server.remove('a');
  server.fail(200);
  await expect.poll(() => watches.unread('trigger')).toEqual([]);
  expect(deleted).toEqual(['a']);
});

test('is synced without a collection that cannot be read, and again when it can be', async () => {
  server.fail(503);
  watches.follow([watched('trigger')]);
  await expect.poll(() => watches.unreadable).toEqual([expect.stringContaining(`${path}: `)]);
  expect(watches.isSynced).toBe(true);
  expect(watches.unread('trigger')).toHaveLength(1);
  expect(watches.unread('source')).toEqual([]);
  await expect.poll(() => synced).toBe(1);
  server.fail(200);
  await expect.poll(() => synced).toBe(2);
  expect(watches.unread('trigger')).toEqual([]);
});

test('watches nothing after it was stopped', async () => {
  watches.follow([watched('trigger')]);
  await expect.poll(isSynced).toBe(true);
  watches.stop();
  watches.follow([watched('trigger')]);
  expect([...watches.read('trigger')]).toEqual([]);
  expect(watches.unreadable).toEqual([]);
  expect(watches.isSynced).toBe(true);
});
