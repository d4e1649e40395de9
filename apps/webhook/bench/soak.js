// Sends 200 reviews a second to the webhook for a long time, while clients abort or are slow, policies are reloaded
// and certificates change. No answer may be wrong or missing, and memory must not grow.
//
//   pnpm --filter @kubeadmit/webhook build && node bench/soak.js [minutes] [workers]

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask, review, startWebhook } from './kit.js';
import { fileOf, podSecurityPolicies, unconcernedPolicies } from './policies.js';

const minutes = Number(process.argv[2] ?? 30);
const workers = Number(process.argv[3] ?? 1);
const perSecond = 200;
const tickMilliseconds = 50;
const folder = mkdtempSync(join(tmpdir(), 'soak-'));
const [tls, policies] = [join(folder, 'tls'), join(folder, 'policies')];
mkdirSync(policies);

writeFileSync(join(policies, 'pods.json'), fileOf(podSecurityPolicies(16)));
const privileged = (object) => {
  object.spec.containers[0].securityContext.privileged = true;
};
// Every fourth pod is refused.
const cases = Array.from({ length: 40 }, (_, index) => {
  const isDenied = index % 4 === 3;
  const body = Buffer.from(JSON.stringify(review(index, isDenied ? privileged : undefined)));
  return { body, expected: `"allowed":${!isDenied}` };
});

const counted = {
  answered: 0,
  wrong: 0,
  unanswered: 0,
  aborted: 0,
  slow: 0,
  reloads: 0,
  renewals: 0,
};
const timers = [];
let webhook;
try {
  webhook = await startWebhook('webhook', { policies, tls, workers });
  let agent = newAgent();
  every(5_000, () => {
    const before = agent;
    agent = newAgent();
    retire(before);
  });
  every(10_000, reload);
  every(60_000, renew);
  const started = performance.now();
  let sent = 0;
  // By the time since the start, not by ticks: timers come late where others work, too.
  every(tickMilliseconds, () => {
    const due = ((performance.now() - started) * perSecond) / 1000;
    while (sent < due) {
      const index = sent++;
      if (index % 100 === 50) abort(agent, cases[index % cases.length]);
      else if (index % 100 === 99) void slowly(agent, cases[index % cases.length]);
      else void check(agent, cases[index % cases.length]);
    }
  });
  const samples = [];
  console.log('| minute | resident MiB | heap MiB | answered | wrong | unanswered | under 10 ms |');
  console.log('| ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
  for (let minute = 1; minute <= minutes; minute++) {
    await new Promise((resolve) => setTimeout(resolve, 60_000));
    const { resident, heap, quick } = await measure();
    samples.push(resident);
    const { answered, wrong, unanswered } = counted;
    const row = [minute, resident, heap, answered, wrong, unanswered, quick];
    console.log(`| ${row.join(' | ')} |`);
  }
  for (const timer of timers) clearInterval(timer);
  await new Promise((resolve) => setTimeout(resolve, 15_000));
  console.log(`\n${JSON.stringify(counted)}`);
  const third = Math.floor(samples.length / 3);
  const [middle, last] = [samples.slice(third, 2 * third), samples.slice(2 * third)].map(median);
  console.log(`resident memory: ${middle} MiB in the middle third, ${last} MiB in the last`);
  process.exitCode = counted.wrong + counted.unanswered === 0 && last <= middle * 1.1 ? 0 : 1;
} finally {
  for (const timer of timers) clearInterval(timer);
  webhook?.child.removeAllListeners('exit');
  webhook?.child.kill();
  rmSync(folder, { recursive: true, force: true });
}

function every(milliseconds, act) {
  timers.push(setInterval(act, milliseconds));
}

function newAgent() {
  return new Agent({ keepAlive: true, maxSockets: 32, ca: readFileSync(join(tls, 'ca.crt')) });
}

// Requests in progress still get their answer.
function retire(agent) {
  const isBusy = [agent.sockets, agent.requests].some((each) => Object.keys(each).length > 0);
  if (isBusy) setTimeout(() => retire(agent), 5_000);
  else agent.destroy();
}

async function check(agent, { body, expected }) {
  try {
    const text = await ask({ port: webhook.port, agent }, body);
    counted.answered++;
    if (text.includes(expected)) return;
    counted.wrong++;
    console.error(text);
  } catch (error) {
    missed(error);
  }
}

function missed({ code, message }) {
  counted.unanswered++;
  console.error(`${new Date().toISOString()} unanswered: ${code ?? ''} ${message}`);
}

function open(agent, body) {
  const headers = { 'content-type': 'application/json', 'content-length': body.length };
  const { port } = webhook;
  return request({ host: '127.0.0.1', port, path: '/validate', method: 'POST', headers, agent });
}

function abort(agent, { body }) {
  const call = open(agent, body);
  call.on('error', () => undefined);
  call.write(body.subarray(0, 100));
  setTimeout(() => call.destroy(), 100);
  counted.aborted++;
}

async function slowly(agent, { body, expected }) {
  const call = open(agent, body);
  counted.slow++;
  const half = body.length / 2;
  call.write(body.subarray(0, half));
  setTimeout(() => call.end(body.subarray(half)), 2_000);
  call.on('error', missed);
  call.on('response', (answer) => {
    let text = '';
    answer.setEncoding('utf8').on('data', (part) => {
      text += part;
    });
    answer.on('end', () => {
      counted.answered++;
      if (!text.includes(expected)) counted.wrong++;
    });
  });
}

function reload() {
  const others = unconcernedPolicies(5 + (counted.reloads++ % 20));
  writeFileSync(join(policies, 'others.json'), fileOf(others));
}

// Without its files, another certificate of the same authority is made.
function renew() {
  counted.renewals++;
  for (const name of ['tls.crt', 'tls.key']) rmSync(join(tls, name), { force: true });
}

async function measure() {
  const text = await (await fetch(`http://127.0.0.1:${webhook.operation}/metrics`)).text();
  const value = (pattern) => Number(new RegExp(`^${pattern} (\\S+)$`, 'm').exec(text)?.[1]);
  const mebibytes = (pattern) => Math.round(value(pattern) / 2 ** 20);
  const requests = 'kubeadmit_request_duration_seconds';
  const within = value(`${requests}_bucket\\{le="0.01",path="validate",code="200"\\}`);
  const all = value(`${requests}_count\\{path="validate",code="200"\\}`);
  return {
    resident: mebibytes('process_resident_memory_bytes'),
    heap: mebibytes('nodejs_heap_size_used_bytes'),
    quick: `${((100 * within) / all).toFixed(2)} %`,
  };
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
