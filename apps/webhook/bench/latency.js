// Asks the webhook a fixed number of times a second, and tells how long requests are inside its process, by its own
// histogram: the smallest bound below which 99 of 100 are.
//
//   pnpm --filter @kubeadmit/webhook build && node bench/latency.js [seconds] [requests a second]

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask, processorSeconds, review, startWebhook } from './kit.js';
import { fileOf, podSecurityPolicies } from './policies.js';

const seconds = Number(process.argv[2] ?? 30);
const perSecond = Number(process.argv[3] ?? 300);
const warmSeconds = 5;
const folder = mkdtempSync(join(tmpdir(), 'latency-'));
const tls = join(folder, 'tls');
const policies = join(folder, 'policies.json');
writeFileSync(policies, fileOf(podSecurityPolicies(16)));
const bodies = Array.from({ length: 50 }, (_, index) => Buffer.from(JSON.stringify(review(index))));

let webhook;
try {
  webhook = await startWebhook('webhook', { policies, tls });
  const agent = new Agent({
    keepAlive: true,
    maxSockets: 32,
    ca: readFileSync(join(tls, 'ca.crt')),
  });
  await askFor(agent, warmSeconds);
  const before = await buckets();
  const used = processorSeconds(webhook);
  const began = performance.now();
  const asked = await askFor(agent, seconds);
  const each = ((processorSeconds(webhook) - used) / asked) * 1000;
  const rate = asked / ((performance.now() - began) / 1000);
  const after = await buckets();
  agent.destroy();
  const all = after.get('+Inf') - before.get('+Inf');
  const within = [...after].map(([bound, count]) => [
    bound,
    (count - (before.get(bound) ?? 0)) / all,
  ]);
  const [bound] = within.find(([, share]) => share >= 0.99);
  const tenth = within.find(([limit]) => limit === '0.01')?.[1] ?? 0;
  console.log(`${asked} requests, ${Math.round(rate)} a second`);
  console.log(`${each.toFixed(2)} ms of processor time each`);
  console.log(`99 % take at most ${Number(bound) * 1000} ms`);
  console.log(`${(100 * tenth).toFixed(2)} % take at most 10 ms`);
} finally {
  webhook?.child.removeAllListeners('exit');
  webhook?.child.kill();
  rmSync(folder, { recursive: true, force: true });
}

/** Sends requests at an even pace, without waiting for answers, and returns their number. */
async function askFor(agent, duration) {
  const end = performance.now() + duration * 1000;
  const began = performance.now();
  const open = new Set();
  let asked = 0;
  while (performance.now() < end) {
    const due = Math.floor(((performance.now() - began) / 1000) * perSecond);
    for (; asked < due; asked++) {
      const answer = ask({ port: webhook.port, agent }, bodies[asked % bodies.length]);
      open.add(answer);
      void answer.finally(() => open.delete(answer));
    }
    await new Promise((resolve) => setTimeout(resolve, 3));
  }
  await Promise.all(open);
  return asked;
}

async function buckets() {
  const text = await (await fetch(`http://127.0.0.1:${webhook.operation}/metrics`)).text();
  const pattern =
    /^kubeadmit_request_duration_seconds_bucket\{le="([^"]+)",path="validate",code="200"\} (\S+)$/gm;
  return new Map([...text.matchAll(pattern)].map(([, bound, count]) => [bound, Number(count)]));
}
