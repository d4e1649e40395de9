// Measures conditions and rules beside Kyverno's engine in process, where the environment variable ORACLE_KYVERNO
// names the yardstick: the cases of cases.json one by one, then recorded ones. Times are of the processor, not of the
// clock, so that other work on the machine counts little.
//
//   pnpm --filter @kubeadmit/kyverno... build && ORACLE_KYVERNO=path/to/oracle-kyverno node bench/evaluate.js

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { prepareConditions, prepareRules } from '@kubeadmit/kyverno/unstable-internal';

const roundTime = 60;
const rounds = 8;
const oracleRounds = 2;
const recordedCount = 60;
/** Cases below this time are decoding errors, not evaluations. */
const shortest = 500;
const kinds = {
  conditions: { prepare: prepareConditions, command: 'bench-conditions' },
  rules: { prepare: prepareRules, command: 'bench-rules' },
};
let consumed;

const oracles = new Map();
const { pod, cases } = JSON.parse(readFileSync(new URL('cases.json', import.meta.url), 'utf8'));
console.log('| case | µs | Kyverno |\n| --- | ---: | ---: |');
const named = [];
for (const { name, kind, ...given } of cases) {
  const row = await compare(kind, kind === 'rules' ? rulesCase(given) : given);
  named.push(row);
  console.log(`| ${name} | ${(row.ours / 1000).toFixed(1)} | ${ratioText(row)} |`);
}
summarize('these', named);
for (const [file, kind] of [
  ['conditions', 'conditions'],
  ['validate', 'rules'],
  ['mutate', 'rules'],
  ['pod-security', 'rules'],
]) {
  const rows = [];
  for (const item of recorded(file)) rows.push(await compare(kind, item));
  summarize(`${file} (recorded cases)`, rows);
}
for (const oracle of oracles.values()) oracle.close();
if (consumed === undefined) throw new Error('nothing was measured');

/** Wraps a rule in a separate policy; `validatesAll` selects the rules of all cases that validate. */
function rulesCase({ rule, validatesAll, resource = pod, ...given }) {
  const rules = validatesAll ? cases.map((one) => one.rule).filter((one) => one?.validate) : [rule];
  const match = { any: [{ resources: { kinds: [resource.kind] } }] };
  const policies = rules.map((one, at) => ({
    kind: 'ClusterPolicy',
    metadata: { name: `p${at}` },
    spec: { rules: [{ name: 'r', match, ...one }] },
  }));
  return { policies, resource, ...given };
}

function recorded(name) {
  const file = new URL(`../../../conformance/kyverno/${name}.ndjson`, import.meta.url);
  const lines = readFileSync(file, 'utf8').trim().split('\n').slice(0, recordedCount);
  return lines.map((line) => JSON.parse(line).case);
}

/** Returns the best of several rounds, the first of which warm up the code. */
async function compare(kind, given) {
  const { prepare, command } = kinds[kind];
  const run = prepare(given);
  const oracle = oracleFor(command);
  const times = { ours: [], theirs: [] };
  for (let round = 0; round < rounds; round++) {
    times.ours.push(measure(run));
    if (oracle !== undefined && round < oracleRounds) times.theirs.push(await oracle.ask(given));
  }
  return { ours: Math.min(...times.ours), theirs: Math.min(...times.theirs) };
}

function measure(run) {
  repeat(run, roundTime);
  const { runs, used } = repeat(run, roundTime);
  return (used * 1000) / runs;
}

/** Runs for some milliseconds of the processor; `used` is in microseconds. */
function repeat(run, milliseconds) {
  const start = process.cpuUsage();
  let runs = 0;
  let used = 0;
  while (used < milliseconds * 1000) {
    for (let index = 0; index < 16; index++) consumed = run();
    runs += 16;
    const { user, system } = process.cpuUsage(start);
    used = user + system;
  }
  return { runs, used };
}

function oracleFor(command) {
  const program = process.env.ORACLE_KYVERNO;
  if (program === undefined) return undefined;
  const known = oracles.get(command);
  if (known !== undefined) return known;
  const child = spawn(program, [command], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const oracle = {
    async ask(given) {
      const start = performance.now();
      const before = processorTime(child.pid);
      child.stdin.write(`${JSON.stringify({ ...given, id: '' })}\n`);
      const { value } = await lines.next();
      const used = processorTime(child.pid) - before;
      const share = Math.min(1, used / (performance.now() - start)) || 1;
      return (JSON.parse(value).nanoseconds ?? 0) * share;
    },
    close: () => child.stdin.end(),
  };
  oracles.set(command, oracle);
  return oracle;
}

/** The milliseconds of the processor that another process has had; NaN where the system does not say. */
function processorTime(id) {
  try {
    const fields = readFileSync(`/proc/${id}/stat`, 'utf8').split(') ')[1].split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return Number.NaN;
  }
}

function ratioText({ ours, theirs }) {
  return Number.isFinite(theirs) ? `${(theirs / ours).toFixed(1)}×` : '–';
}

function summarize(name, rows) {
  const ratios = rows
    .filter(({ theirs }) => Number.isFinite(theirs) && theirs >= shortest)
    .map(({ ours, theirs }) => theirs / ours)
    .sort((left, right) => left - right);
  if (ratios.length === 0) return;
  const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
  const at = (share) => ratios[Math.floor(ratios.length * share)].toFixed(1);
  console.log(
    `\n${name}: ${ratios.length} cases, Kyverno takes ${mean.toFixed(1)} times as long (geometric mean), median ${at(0.5)}, a tenth below ${at(0.1)}`,
  );
}
