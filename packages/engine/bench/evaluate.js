// Measures the evaluation of policy expressions, costs counted, beside its rivals in the same run:
// `@marcbachmann/cel-js`, and cel-go where the environment variable ORACLE names the oracle.
//
//   pnpm --filter @kubeadmit/engine... build && ORACLE=path/to/oracle node bench/evaluate.js

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { prepareExpression } from '@kubeadmit/engine/unstable-internal';
import { Environment as RivalEnvironment } from '@marcbachmann/cel-js';

const { expressions, variables } = JSON.parse(
  readFileSync(new URL('expressions.json', import.meta.url), 'utf8'),
);
const roundTime = 60;
const rounds = 5;
const sliceTime = 0.2;
let consumed;
let consumedCost = 0;

compileTimes();
const oracle = startOracle();
const cases = expressions.map((expression) => ({
  expression,
  ours: prepareOurs(expression),
  rival: prepareRival(expression),
}));
// Everything is compiled by the engine before anything is measured.
for (const { ours, rival } of [...cases, ...cases]) {
  measure(ours);
  if (rival !== undefined) measure(rival);
}
const rows = [];
for (const { expression, ours, rival } of cases) {
  const times = { ours: [], rival: [], go: [] };
  // Alternating, so that a slower machine affects all of them.
  for (let round = 0; round < rounds; round++) {
    times.ours.push(measure(ours));
    if (rival !== undefined) times.rival.push(measure(rival));
    if (oracle !== undefined) times.go.push(await oracle.ask(expression));
  }
  rows.push({
    expression,
    ours: least(times.ours),
    rival: least(times.rival),
    go: least(times.go),
  });
}
oracle?.close();
print(rows);
if (consumed === undefined || consumedCost === 0) throw new Error('nothing was measured');

function prepareOurs(expression) {
  const prepared = prepareExpression({ expression, variables });
  if (!('program' in prepared)) throw new Error(`${expression}: ${JSON.stringify(prepared)}`);
  const { program, values, costLimit } = prepared;
  const options = { costLimit };
  return () => {
    const { value, cost } = program.evaluate(values, options);
    consumed = value;
    consumedCost += cost;
  };
}

/** The rival lacks some of Kubernetes' functions, and counts no costs. */
function prepareRival(expression) {
  try {
    const environment = new RivalEnvironment({ unlistedVariablesAreDyn: true });
    const program = environment.parse(expression);
    program(variables);
    return () => {
      consumed = program(variables);
    };
  } catch {
    return undefined;
  }
}

/** The time of one run: the best of many short slices, which other work on the machine disturbs least. */
function measure(run) {
  let runs = 16;
  let best = Number.POSITIVE_INFINITY;
  const end = performance.now() + roundTime;
  for (let start = performance.now(); start < end; start = performance.now()) {
    for (let index = 0; index < runs; index++) run();
    const time = performance.now() - start;
    if (time < sliceTime) {
      runs *= 2;
    } else {
      best = Math.min(best, (time * 1e6) / runs);
    }
  }
  return best;
}

function startOracle() {
  const program = process.env.ORACLE;
  if (program === undefined) return undefined;
  const child = spawn(program, ['bench-eval'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async ask(expression) {
      const before = processorTime(child.pid);
      child.stdin.write(`${JSON.stringify({ id: '', expression, variables })}\n`);
      const { value } = await lines.next();
      const { nanoseconds, runs } = JSON.parse(value);
      // It warms up for a quarter of the time that it measures.
      const used = (processorTime(child.pid) - before) / (runs * 1.25);
      return used > 0 ? Math.min(nanoseconds, used) : nanoseconds;
    },
    close: () => child.stdin.end(),
  };
}

/** The time that a process has had a processor, in nanoseconds; 0 where the system does not tell. */
function processorTime(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 1e7;
  } catch {
    return 0;
  }
}

/** Time to parse, check and plan each expression, new every time, from the very first on. */
function compileTimes() {
  const declarations = Object.fromEntries(Object.keys(variables).map((name) => [name, 'dyn']));
  const times = [];
  for (let round = 0; round < 32; round++) {
    for (const expression of expressions) {
      const input = { expression: `dyn(${expression}) == ${round}`, declarations };
      const used = process.cpuUsage();
      const start = performance.now();
      consumed = prepareExpression(input);
      const passed = performance.now() - start;
      const { user, system } = process.cpuUsage(used);
      // Less where other processes had the processor in between.
      times.push(Math.min(passed, (user + system) / 1000));
    }
  }
  times.sort((left, right) => left - right);
  const at = (part) => times[Math.floor(times.length * part)].toFixed(2);
  console.log(
    `\nparse, check and plan of ${times.length} expressions: median ${at(0.5)} ms, 99th percentile ${at(0.99)} ms`,
  );
}

function print(measured) {
  console.log('| expression | ns | cel-js | cel-go |\n| --- | ---: | ---: | ---: |');
  for (const { expression, ours, rival, go } of measured) {
    const shown = expression.length > 72 ? `${expression.slice(0, 71)}…` : expression;
    console.log(
      `| \`${shown.replaceAll('|', '\\|')}\` | ${ours.toFixed(0)} | ${ratio(rival, ours)} | ${ratio(go, ours)} |`,
    );
  }
  for (const name of ['rival', 'go']) {
    const ratios = measured
      .filter((row) => row[name] !== undefined)
      .map((row) => row[name] / row.ours);
    if (ratios.length > 0) {
      const label = name === 'go' ? 'cel-go' : '@marcbachmann/cel-js';
      console.log(
        `\ntimes as long as ours takes ${label}: median ${median(ratios).toFixed(1)}, least ${Math.min(...ratios).toFixed(1)}, over ${ratios.length} expressions`,
      );
    }
  }
}

function ratio(time, ours) {
  return time === undefined ? '–' : `${(time / ours).toFixed(1)}×`;
}

function least(values) {
  return values.length === 0 ? undefined : Math.min(...values);
}

function median(values) {
  return [...values].sort((left, right) => left - right)[values.length >> 1];
}
