// Measures the evaluation of policy expressions, costs counted, beside its rivals in the same run:
// `@marcbachmann/cel-js`, and cel-go where the environment variable ORACLE names the oracle.
//
//   pnpm --filter @kubeadmit/engine... build && ORACLE=path/to/oracle node bench/evaluate.js

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { prepareCase } from '@kubeadmit/engine';
import { Environment as RivalEnvironment } from '@marcbachmann/cel-js';

const { expressions, variables } = JSON.parse(
  readFileSync(new URL('expressions.json', import.meta.url), 'utf8'),
);
const roundTime = 100;
const rounds = 3;
let consumed;

const rows = [];
const oracle = startOracle();
for (const expression of expressions) {
  const ours = prepareOurs(expression);
  const rival = prepareRival(expression);
  const times = { ours: [], rival: [], go: [] };
  // In turns, so that a machine that becomes slower does so for all of them.
  for (let round = 0; round < rounds; round++) {
    times.ours.push(measure(ours));
    if (rival !== undefined) {
      times.rival.push(measure(rival));
    }
    if (oracle !== undefined) {
      times.go.push(await oracle.ask(expression));
    }
  }
  rows.push({
    expression,
    ours: median(times.ours),
    rival: median(times.rival),
    go: median(times.go),
  });
}
oracle?.close();
print(rows);
compileTimes();
if (consumed === undefined) {
  throw new Error('nothing was measured');
}

function prepareOurs(expression) {
  const prepared = prepareCase({ expression, variables });
  if (!('program' in prepared)) {
    throw new Error(`${expression}: ${JSON.stringify(prepared)}`);
  }
  const { program, values, costLimit } = prepared;
  const options = { costLimit };
  return () => {
    consumed = program.evaluate(values, options);
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

function measure(run) {
  const warmUp = performance.now() + roundTime / 2;
  while (performance.now() < warmUp) {
    run();
  }
  let runs = 0;
  const start = performance.now();
  let now = start;
  while (now - start < roundTime) {
    for (let index = 0; index < 64; index++) {
      run();
    }
    runs += 64;
    now = performance.now();
  }
  return ((now - start) * 1e6) / runs;
}

function startOracle() {
  const program = process.env.ORACLE;
  if (program === undefined) {
    return undefined;
  }
  const child = spawn(program, ['bench-eval'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async ask(expression) {
      child.stdin.write(`${JSON.stringify({ id: '', expression, variables })}\n`);
      const { value } = await lines.next();
      return JSON.parse(value).nanoseconds;
    },
    close: () => child.stdin.end(),
  };
}

/** Time to parse, check and plan each expression, new every time. */
function compileTimes() {
  const times = [];
  for (let round = 0; round < 32; round++) {
    for (const expression of expressions) {
      const start = performance.now();
      consumed = prepareCase({ expression: `${expression} || ${round} == -1`, variables });
      times.push(performance.now() - start);
    }
  }
  times.sort((left, right) => left - right);
  const at = (part) => times[Math.floor(times.length * part)].toFixed(3);
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

function median(values) {
  return [...values].sort((left, right) => left - right)[values.length >> 1];
}
