// Compares the number of reviews per second that the webhook answers, over HTTPS with keep-alive, with that of an
// express server that parses the same bodies and answers a constant. Each runs in a separate process, and the
// measurements alternate.
//
//   pnpm --filter @kubeadmit/webhook build && node bench/load.js [seconds]

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ask, processorSeconds, review, start, startWebhook } from './kit.js';
import { fileOf, podSecurityPolicies, unconcernedPolicies } from './policies.js';

const seconds = Number(process.argv[2] ?? 5);
const rounds = 3;
const warmSeconds = 10;
const connections = 8;
const here = fileURLToPath(new URL('.', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'load-'));
const tls = join(folder, 'tls');

const bodies = Array.from({ length: 50 }, (_, index) => Buffer.from(JSON.stringify(review(index))));
const contenders = [];
try {
  const webhook = (name, policies) => {
    const file = join(folder, `${name.replaceAll(/\W/g, '-')}.json`);
    writeFileSync(file, fileOf(policies));
    return startWebhook(name, { policies: file, tls });
  };
  const concerned = podSecurityPolicies(10);
  contenders.push(await webhook('16 pod-security policies', podSecurityPolicies(16)));
  contenders.push(await start('bare express', [join(here, 'bare.js'), tls]));
  contenders.push(await webhook('10 policies', concerned));
  contenders.push(
    await webhook('10 of 1,000 policies', [...concerned, ...unconcernedPolicies(990)]),
  );
  const ca = readFileSync(join(tls, 'ca.crt'));
  // Until everything is compiled.
  for (const contender of contenders) await load(contender, ca, warmSeconds);
  for (let round = 0; round < rounds; round++) {
    for (const contender of contenders) {
      const before = processorSeconds(contender);
      const { rate, answered } = await load(contender, ca, seconds);
      contender.rates.push(rate);
      contender.costs ??= [];
      contender.costs.push(((processorSeconds(contender) - before) / answered) * 1000);
    }
  }
  const [own, bare, ten, thousand] = contenders.map(({ rates }) => median(rates));
  console.log(
    '| server | reviews a second | processor milliseconds a review |\n| --- | ---: | ---: |',
  );
  for (const { name, rates, costs } of contenders)
    console.log(`| ${name} | ${Math.round(median(rates))} | ${median(costs).toFixed(3)} |`);
  console.log(`\n${(own / bare).toFixed(2)} times the rate of bare express with 16 policies`);
  console.log(`${(ten / thousand).toFixed(2)} times the time of 10 policies with 990 more`);
  const [ownCost, bareCost, tenCost, thousandCost] = contenders.map(({ costs }) => median(costs));
  console.log('by processor time, which does not depend on what else the machine does:');
  console.log(`${(bareCost / ownCost).toFixed(2)} times the reviews of bare express`);
  console.log(`${(thousandCost / tenCost).toFixed(2)} times the time of 10 policies with 990 more`);
} finally {
  for (const { child } of contenders) child.kill();
  rmSync(folder, { recursive: true, force: true });
}

/** Asks for some seconds over several connections, and gives the answers a second. */
async function load({ name, port }, ca, duration) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, ca });
  const end = performance.now() + duration * 1000;
  const started = performance.now();
  let answered = 0;
  const asking = Array.from({ length: connections }, async (_, connection) => {
    for (let index = connection; performance.now() < end; index++) {
      const text = await ask({ port, agent }, bodies[index % bodies.length]);
      if (!text.includes('"allowed":true')) throw new Error(`${name}: ${text}`);
      answered++;
    }
  });
  await Promise.all(asking);
  agent.destroy();
  return { rate: (answered * 1000) / (performance.now() - started), answered };
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}
