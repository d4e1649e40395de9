// Measures how long 50 clients wait if 1,000 policies match each request and the timeout is one second, beside an
// express server that parses the same bodies and answers a constant.
//
//   pnpm --filter @kubeadmit/webhook build && node bench/many.js [seconds] [clients] [policies]

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { processorSeconds, review, start, startWebhook } from './kit.js';
import { fileOf, podSecurityPolicies } from './policies.js';

const [seconds = 10, clients = 50, count = 1_000] = process.argv.slice(2).map(Number);
const rounds = 3;
const timeoutMilliseconds = 1_000;
const here = fileURLToPath(new URL('.', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'many-'));
const tls = join(folder, 'tls');
const bodies = Array.from({ length: 50 }, (_, index) => Buffer.from(JSON.stringify(review(index))));
const contenders = [];
try {
  const policies = join(folder, 'policies.json');
  writeFileSync(policies, fileOf(podSecurityPolicies(count)));
  for (const workers of new Set([1, availableParallelism()])) {
    const name = `${count} policies, ${workers} ${workers === 1 ? 'process' : 'processes'}`;
    contenders.push(await startWebhook(name, { policies, tls, workers }));
  }
  contenders.push(await start('bare express', [join(here, 'bare.js'), tls]));
  const ca = readFileSync(join(tls, 'ca.crt'));
  for (const contender of contenders) {
    contender.results = [];
    await load(contender, ca, seconds);
  }
  for (let round = 0; round < rounds; round++) {
    for (const contender of contenders) {
      const before = processorSeconds(contender);
      const result = await load(contender, ca, seconds);
      result.processor = processorSeconds(contender) - before;
      contender.results.push(result);
    }
  }
  console.log(
    '| server | answered a second | refused | late | p50 ms | p99 ms | p99 of refusals ms |',
  );
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: |');
  for (const { name, results } of contenders) {
    for (const { times, refused, late } of results) {
      const rate = (times.length / seconds).toFixed(0);
      const cells = [quantile(times, 0.5), quantile(times, 0.99), quantile(refused, 0.99)];
      console.log(`| ${[name, rate, refused.length, late, ...cells].join(' | ')} |`);
    }
  }
} finally {
  for (const { child } of contenders) child.kill();
  rmSync(folder, { recursive: true, force: true });
}

/** Lets each client ask again and again; `late` are requests without an answer within the timeout. */
async function load({ port }, ca, duration) {
  const agent = new Agent({ keepAlive: true, maxSockets: clients, ca });
  const end = performance.now() + duration * 1000;
  const result = { times: [], refused: [], late: 0 };
  const asking = Array.from({ length: clients }, async (_, client) => {
    for (let index = client; performance.now() < end; index++) {
      const began = performance.now();
      const code = await ask(port, agent, bodies[index % bodies.length]);
      const took = performance.now() - began;
      if (code === 200) result.times.push(took);
      else if (code === 429) result.refused.push(took);
      else if (code !== 0) throw new Error(`answered ${code}`);
      if (code === 0 || took > timeoutMilliseconds) result.late++;
    }
  });
  await Promise.all(asking);
  agent.destroy();
  return result;
}

function ask(port, agent, body) {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    const path = '/validate?timeout=1s';
    const call = request(
      { host: '127.0.0.1', port, path, method: 'POST', headers, agent },
      (answer) => {
        answer.resume();
        answer.on('end', () => resolve(answer.statusCode));
      },
    );
    call.once('error', reject);
    call.end(body);
  });
}

function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)]?.toFixed(0) ?? '–';
}
