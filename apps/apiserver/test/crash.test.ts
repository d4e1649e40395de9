import { folderUntil, stopProgram } from '@kubeadmit/test-support';
import { expect, onTestFinished, test } from 'vitest';
import { request, type SpawnedServer, spawnServer } from './spawned-server.ts';
import { EtcdServer, findEtcd } from './stores/etcd-server.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const clients = 4;
/** More of them by CRASHES=1000. */
const crashes = Number(process.env['CRASHES'] ?? 5);

/** The writes that clients sent and the answers that they got. */
interface Told {
  /** The least resourceVersion that an object must have, and its value then; absent for one that is gone. */
  readonly acknowledged: Map<string, { readonly value?: string; readonly revision: number }>;
  /** Values that were sent and not answered. */
  readonly pending: Map<string, string | undefined>;
  greatest: number;
}

test(`keeps every acknowledged write over ${crashes} crashes`, {
  timeout: 60_000 + crashes * 6_000,
}, async () => {
  await expectKept(crashes);
});

// By hand, with ETCD_CRASHES=100: the server and its etcd are killed together.
const etcdCrashes = Number(process.env['ETCD_CRASHES'] ?? 0);

test.runIf(etcdCrashes > 0)(
  'keeps them on etcd',
  {
    timeout: 60_000 + etcdCrashes * 10_000,
  },
  async () => {
    const etcd = await EtcdServer.start(findEtcd() ?? 'etcd');
    try {
      await expectKept(etcdCrashes, etcd);
    } finally {
      await etcd.stop();
    }
  },
);

async function expectKept(count: number, etcd?: EtcdServer): Promise<void> {
  const folder = folderUntil(onTestFinished);
  const told: Told = { acknowledged: new Map(), pending: new Map(), greatest: 0 };
  let written = 0;
  for (let crash = 0; crash <= count; crash++) {
    const server = await spawnServer(folder, etcd === undefined ? {} : { etcd: etcd.url });
    await check(server, told);
    if (crash < count) {
      const writers = Array.from({ length: clients }, (_, client) => write(server, told, client));
      const before = told.greatest;
      await sleep(50 + Math.random() * 400);
      // A slow machine has to have something to lose, too.
      for (let waits = 0; told.greatest === before && waits < 100; waits++) await sleep(50);
      server.process.kill('SIGKILL');
      await etcd?.kill();
      written += (await Promise.all(writers)).reduce((sum, count) => sum + count, 0);
    }
    await stopProgram(server.process, 'SIGKILL');
    if (crash < count) await etcd?.run();
  }
  expect(written).toBeGreaterThanOrEqual(count);
}

/** Creates, changes and deletes objects of one client until the server is gone; returns how many writes were answered. */
async function write(server: SpawnedServer, told: Told, client: number): Promise<number> {
  for (let count = 0; ; count++) {
    const name = `c${client}-${count % 10}`;
    const before = told.acknowledged.get(name);
    const value = `${client}.${count}.${Date.now()}`;
    const isDeletion = before?.value !== undefined && count % 7 === 0;
    told.pending.set(name, isDeletion ? undefined : value);
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { value } };
    const answer = await request(server, {
      method: isDeletion ? 'DELETE' : before?.value === undefined ? 'POST' : 'PUT',
      path: before?.value === undefined ? configMaps : `${configMaps}/${name}`,
      ...(isDeletion ? {} : { body: JSON.stringify(object) }),
    });
    if (!answer) return count;
    expect([200, 201], answer.body.toString()).toContain(answer.code);
    const { metadata } = JSON.parse(answer.body.toString());
    const revision = isDeletion ? (before?.revision ?? 0) : Number(metadata.resourceVersion);
    told.acknowledged.set(name, isDeletion ? { revision } : { value, revision });
    told.pending.delete(name);
    told.greatest = Math.max(told.greatest, revision);
  }
}

/** Every acknowledged write is there, or one after it that was on its way; none is half there. */
async function check(server: SpawnedServer, told: Told): Promise<void> {
  const answer = await request(server, { path: configMaps });
  const list = JSON.parse(answer?.body.toString() ?? '{}');
  expect(Number(list.metadata.resourceVersion)).toBeGreaterThanOrEqual(told.greatest);
  const found = new Map<string, { readonly value: string; readonly revision: number }>();
  for (const { metadata, data } of list.items) {
    if (metadata.name !== 'kube-root-ca.crt') {
      found.set(metadata.name, { value: data.value, revision: Number(metadata.resourceVersion) });
    }
  }
  const names = new Set([...told.acknowledged.keys(), ...told.pending.keys(), ...found.keys()]);
  for (const name of names) {
    const acknowledged = told.acknowledged.get(name);
    const now = found.get(name);
    const possible = [
      acknowledged?.value,
      ...(told.pending.has(name) ? [told.pending.get(name)] : []),
    ];
    expect(possible, name).toContain(now?.value);
    if (now && acknowledged) expect(now.revision).toBeGreaterThanOrEqual(acknowledged.revision);
    told.acknowledged.set(name, now ?? { revision: acknowledged?.revision ?? 0 });
  }
  told.pending.clear();
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
