// Measures how long the policies of a cluster take to decide a request, beside kube-apiserver's own
// plugins in the same run where the environment variable ORACLE names the oracle.
//
//   pnpm --filter @kubeadmit/admission... build && ORACLE=path/to/oracle node bench/admit.js [scenario]

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { admit, decide, loadCluster, prepareRequest } from '@kubeadmit/admission';
import { loadSchemas } from '@kubeadmit/schemas';
import { scenarios } from './scenarios.js';

const warmRuns = 8_000;
const roundTime = 200;
const rounds = 3;
let consumed;

const schemas = await loadSchemas();
const oracle = startOracle();
console.log(
  '| request against | decided, µs | read, decided, answered, µs | kube-apiserver, µs | |',
);
console.log('| --- | ---: | ---: | ---: | ---: |');
for (const [name, scenario] of Object.entries(scenarios)) {
  if (!name.includes(process.argv[2] ?? '')) continue;
  const cluster = loadCluster({ resources: scenario.resources, schemas });
  const prepared = prepareRequest(cluster, scenario.request);
  if (cluster.errors.length > 0 || prepared.failure !== undefined) {
    throw new Error(`${name}: ${JSON.stringify(cluster.errors)} ${prepared.failure}`);
  }
  const times = { decide: [], admit: [], go: [] };
  const runs = {
    decide: () => decide(prepared),
    admit: () => admit(cluster, scenario.request),
  };
  warmUp(runs.decide);
  warmUp(runs.admit);
  // Alternates between the variants, so that a slowdown of the machine affects all of them.
  for (let round = 0; round < rounds; round++) {
    times.decide.push(measure(runs.decide));
    times.admit.push(measure(runs.admit));
    if (oracle !== undefined) times.go.push(await oracle.ask(scenario));
  }
  print(name, median(times.decide), median(times.admit), median(times.go));
}
oracle?.close();
if (consumed === undefined) throw new Error('nothing was measured');

function warmUp(run) {
  const end = performance.now() + 2_000;
  for (let index = 0; index < warmRuns && performance.now() < end; index++) consumed = run();
}

/** The time of one run in microseconds. */
function measure(run) {
  let count = 0;
  const start = performance.now();
  let now = start;
  while (now - start < roundTime) {
    for (let index = 0; index < 16; index++) consumed = run();
    count += 16;
    now = performance.now();
  }
  return ((now - start) * 1e3) / count;
}

function startOracle() {
  const program = process.env.ORACLE;
  if (program === undefined) return undefined;
  const child = spawn(program, ['bench-admit'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async ask({ resources, request }) {
      child.stdin.write(`${JSON.stringify({ id: '', resources, request })}\n`);
      const { value } = await lines.next();
      return JSON.parse(value).nanoseconds / 1e3;
    },
    close: () => child.stdin.end(),
  };
}

function print(name, decided, admitted, go) {
  const times = go === undefined ? '–' : `${(go / decided).toFixed(1)}×`;
  console.log(
    `| ${name} | ${decided.toFixed(1)} | ${admitted.toFixed(0)} | ${go?.toFixed(0) ?? '–'} | ${times} |`,
  );
}

function median(values) {
  return [...values].sort((left, right) => left - right)[values.length >> 1];
}
