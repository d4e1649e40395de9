// Shows that requests and clusters leave nothing in memory and that inputs are never modified: inputs are frozen, and
// the heap must not grow from one tenth of the calls to the next. Exits with 1 if it does.
// Takes about four minutes of one processor and prints each tenth as it ends.
//   pnpm --filter @kubeadmit/admission... build && node --expose-gc bench/memory.js [REQUESTS] [CLUSTERS]

import { admit, prepareCluster } from '@kubeadmit/admission';
import { scenarios } from './scenarios.js';

if (globalThis.gc === undefined) throw new Error('run with --expose-gc');
const [requests = 1_000_000, clusters = 2_000] = process.argv.slice(2).map(Number);
/** The allowed growth of the heap between the second tenth and the end, in MB: V8 keeps data about hot code. */
const mostGrowth = 2;

const names = ['10 policies', 'parameters', 'apply configuration: sidecar', 'JSON patch'];
const cases = names.map((name) => deepFreeze(scenarios[name]));
const prepared = [];
for (const { resources, request } of cases) {
  prepared.push({ cluster: await prepareCluster({ resources }), request });
}

console.log(
  '| | calls | heap after each tenth, MB | resident at the end, MB | µs of processor each |',
);
console.log('| --- | ---: | ---: | ---: | ---: |');
await watch('`admit`', requests, (call) => {
  const { cluster, request } = prepared[call % prepared.length];
  const { failure, response } = admit(cluster, request);
  if (failure !== undefined || !response.allowed)
    throw new Error(JSON.stringify({ failure, response }));
});
await watch('`prepareCluster` and a request', clusters, async (call) => {
  const { resources, request } = cases[call % cases.length];
  const { failure } = admit(await prepareCluster({ resources }), request);
  if (failure !== undefined) throw new Error(failure);
});

async function watch(name, calls, run) {
  const held = [];
  const begun = process.cpuUsage().user;
  process.stdout.write(`| ${name} | ${calls} | `);
  const tenth = Math.ceil(calls / 10);
  for (let call = 0; call < calls; call++) {
    const pending = run(call);
    if (pending !== undefined) await pending;
    if ((call + 1) % tenth === 0 || call + 1 === calls) {
      held.push(heap());
      process.stdout.write(`${held.at(-1).toFixed(1)} `);
    }
  }
  const resident = process.memoryUsage().rss / 1e6;
  const time = (process.cpuUsage().user - begun) / calls;
  console.log(`| ${resident.toFixed(0)} | ${time.toFixed(0)} |`);
  const growth = held.at(-1) - held[1];
  if (growth > mostGrowth) {
    console.error(`${name}: ${growth.toFixed(1)} MB more at the end`);
    process.exitCode = 1;
  }
}

/** The live heap size in MB. */
function heap() {
  for (let round = 0; round < 3; round++) globalThis.gc();
  return process.memoryUsage().heapUsed / 1e6;
}

function deepFreeze(value) {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) deepFreeze(member);
  return value;
}
