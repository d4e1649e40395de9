import { afterAll, expect, test } from 'vitest';
import { ServiceClaims } from '../src/store/service-claims.ts';
import { MemoryStore } from '../src/store.ts';
import { startLocalServer } from './local-server.ts';

interface Answered {
  readonly code: number;
  readonly message?: string;
  readonly spec?: { readonly clusterIP: string; readonly ports: { readonly nodePort: number }[] };
}

const services = '/api/v1/namespaces/default/services';
const store = new MemoryStore();
const { ask, server } = await startLocalServer({ store });
// A second one of the same store, as two servers with one etcd are.
const { ask: askOther, server: other } = await startLocalServer({ store });
afterAll(async () => {
  await server.close();
  await other.close();
});
let sent = 0;

async function send(method: string, path: string, spec: object, name: string): Promise<Answered> {
  const answer = await (sent++ % 2 === 0 ? ask : askOther)({
    method,
    path,
    as: 'admin',
    headers: {
      'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
    },
    body: JSON.stringify({ apiVersion: 'v1', kind: 'Service', metadata: { name }, spec }),
  });
  return { ...JSON.parse(answer.text), code: answer.status };
}

function create(name: string, spec: object): Promise<Answered> {
  return send('POST', services, { ports: [{ port: 80 }], ...spec }, name);
}

test.each([
  ['address', { clusterIP: '10.0.7.7' }, 'provided IP is already allocated'],
  [
    'port',
    { type: 'NodePort', ports: [{ port: 80, nodePort: 30_777 }] },
    'provided port is already allocated',
  ],
])('one of many services that ask for the same %s at once gets it', async (what, spec, why) => {
  const names = Array.from({ length: 8 }, (_, i) => `${what}-${i}`);
  const answers = await Promise.all(names.map((name) => create(name, spec)));
  expect(answers.filter(({ code }) => code === 201)).toHaveLength(1);
  const refused = answers.filter(({ code }) => code === 422);
  expect(refused).toHaveLength(7);
  for (const { message } of refused) expect(message).toContain(why);
  // Allocations of rejected requests and of deleted services are released.
  const had = names[answers.findIndex(({ code }) => code === 201)] ?? '';
  await ask({ method: 'DELETE', path: `${services}/${had}`, headers: {}, as: 'admin' });
  expect((await create(`${what}-again`, spec)).code).toBe(201);
});

// Before any port is given at random, which may be this one.
test('one of two services that get the same port by patches at once has it', async () => {
  const names = ['patched-1', 'patched-2'];
  for (const name of names) await create(name, {});
  const spec = { type: 'NodePort', ports: [{ port: 80, nodePort: 31_111 }] };
  const patch = (name: string) => send('PATCH', `${services}/${name}`, spec, name);
  const codes = (await Promise.all(names.map(patch))).map(({ code }) => code);
  expect(codes.sort()).toEqual([200, 422]);
});

test('services that ask for nothing at once get different addresses and ports', async () => {
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, i) => create(`free-${i}`, { type: 'NodePort' })),
  );
  expect(answers.map(({ code }) => code)).toEqual(answers.map(() => 201));
  expect(new Set(answers.map(({ spec }) => spec?.clusterIP)).size).toBe(40);
  expect(new Set(answers.map(({ spec }) => spec?.ports[0]?.nodePort)).size).toBe(40);
});

test('the claim of a server that ended before its write counts for a while', async () => {
  const kept = new MemoryStore();
  let now = 0;
  let ids = 0;
  const claims = () =>
    new ServiceClaims({ store: kept, now: () => now, randomId: () => `id${ids++}` });
  const places = { addresses: ['10.0.0.1'], ports: [30_000] };
  await claims().take({}, async () => places);
  const other = claims();
  const seen = async () => {
    const found: unknown[] = [];
    await other.take({}, async (others) => {
      found.push(...others.map(({ addresses, ports }) => ({ addresses, ports })));
      return { addresses: [], ports: [] };
    });
    return found;
  };
  expect(await seen()).toEqual([places]);
  now = 299_000;
  expect(await seen()).toEqual([places]);
  now = 301_000;
  expect(await seen()).toEqual([]);
});
