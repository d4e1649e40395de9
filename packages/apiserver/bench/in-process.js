import { createApiServer } from '@kubeadmit/apiserver';
import { MemoryStore } from '@kubeadmit/apiserver/store';
import { loadSchemas } from '@kubeadmit/schemas';

const schemas = await loadSchemas();
const contentTypes = { POST: 'application/json', PATCH: 'application/merge-patch+json' };
const rounds = 3;
const writes = 40;

/**
 * Starts a server in this process with its objects in memory; returns a function that sends a request and throws if it
 * fails.
 */
export async function startServer() {
  const server = createApiServer({
    store: new MemoryStore(),
    schemas,
    kubernetesVersion: '1.37.1',
    clock: {
      now: () => Date.now(),
      sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds).unref()),
    },
    randomUid: () => crypto.randomUUID(),
    tokens: {
      issue: async () => ({ token: '', expirationTimestamp: '' }),
      certificateAuthority: '',
    },
  });
  await server.ready;
  return async ({ method, path, query, object }, user = administrator) => {
    const response = await server.handle({
      method,
      path,
      query: new URLSearchParams(query),
      headers: { 'content-type': contentTypes[method] },
      readBody: async () => ({ bytes: new TextEncoder().encode(JSON.stringify(object)) }),
      user,
    });
    if (response.status < 300) return;
    throw new Error(`${method} ${path}: ${JSON.stringify(response.body)}`);
  };
}

const administrator = { username: 'admin', groups: ['system:masters', 'system:authenticated'] };

export function post(path, object) {
  return { method: 'POST', path, query: '', object };
}

export function patch(path, object) {
  return { method: 'PATCH', path, query: '', object };
}

export function dryRun(path, object) {
  return { method: 'POST', path, query: 'dryRun=All', object };
}

/** Processor time of one piece of work in milliseconds. */
async function measure(send, work) {
  const before = process.cpuUsage();
  for (let i = 0; i < writes; i++) await work(send, i + 1);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / writes;
}

/**
 * Prints, as a table, the cost of each piece of work on a small and on a large server, measured alternately.
 *
 * @param of The kind of objects that the servers differ in
 */
export async function compareSizes(of, sizes, servers, works) {
  const heads = sizes.map((size) => `${size} ${of}, ms`);
  console.log(`| processor time of a write of | ${heads.join(' | ')} | ratio |`);
  console.log(`| --- | ${sizes.map(() => '---: | ').join('')}---: |`);
  for (const [name, work] of Object.entries(works)) {
    const times = sizes.map(() => []);
    for (let round = 0; round < rounds; round++) {
      for (const [at, send] of servers.entries()) times[at].push(await measure(send, work));
    }
    const middles = times.map((each) => each.sort((a, b) => a - b)[rounds >> 1]);
    const cells = middles.map((time) => time.toFixed(2));
    const ratio = middles.at(-1) / middles[0];
    console.log(`| ${name} | ${cells.join(' | ')} | ${ratio.toFixed(2)} |`);
  }
}
