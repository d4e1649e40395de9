// Measures two builds of this repository beside each other: evaluating policy expressions with costs counted, or
// compiling them. Each build runs in a separate process, and measurements alternate, so that a machine that becomes
// slower does so for both. Of a virtual machine, single cores become slower: with `taskset -c 1` before the command
// both builds share one core, and since measurements alternate, neither waits for the other.
//
//   node packages/engine/bench/compare.js OLD NEW [evaluate|compile|plain] [starts] [part of an expression]
//
// OLD and NEW are folders of clones in which `pnpm --filter @kubeadmit/engine... build` was run; `plain` are the
// expressions of packages/cel/bench through `parse`. A ratio above 1 says that NEW is faster.

import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const [first, second, kind = 'evaluate', starts = '7', part = ''] = process.argv.slice(2);
const sliceTime = 0.2;
const roundTime = 15;
const rounds = 5;
const source = kind === 'plain' ? '../../cel/bench/expressions.json' : 'expressions.json';
const { expressions, variables } = JSON.parse(
  readFileSync(new URL(source, import.meta.url), 'utf8'),
);

if (process.send !== undefined) {
  answer(await prepared(first));
} else if (second === undefined) {
  throw new Error('two folders are needed: OLD NEW');
} else {
  await compare();
}

async function compare() {
  const chosen = expressions.flatMap((text, at) => (text.includes(part) ? [at] : []));
  const ratios = chosen.map(() => []);
  const best = chosen.map(() => [Infinity, Infinity]);
  // The optimizations of the engine differ from process to process, so several processes are measured.
  for (let start = 0; start < Number(starts); start++) {
    const builds = [first, second].map((folder) => startBuild(folder));
    // Everything is compiled by the engine before anything is measured.
    for (const at of [...chosen, ...chosen]) for (const build of builds) await build.ask(at);
    const found = chosen.map(() => []);
    for (let round = 0; round < rounds; round++) {
      for (const [place, at] of chosen.entries()) {
        const times = [];
        // The one that goes first changes.
        for (const which of round % 2 === 0 ? [0, 1] : [1, 0]) {
          times[which] = await builds[which].ask(at);
          best[place][which] = Math.min(best[place][which], times[which]);
        }
        found[place].push(times[0] / times[1]);
      }
    }
    for (const [place, each] of found.entries()) ratios[place].push(median(each));
    for (const build of builds) build.end();
  }
  const medians = ratios.map(median);
  for (const [place, at] of chosen.entries()) {
    const [old, now] = best[place];
    console.log(
      `${medians[place].toFixed(2)}  ${old.toFixed(0)} ns, ${now.toFixed(0)} ns  ${expressions[at]}`,
    );
  }
  const slower = medians.filter((ratio) => ratio < 0.95).length;
  console.log(
    `OLD / NEW: median ${median(medians).toFixed(3)}, least ${Math.min(...medians).toFixed(2)}, most ${Math.max(...medians).toFixed(2)}, below 0.95: ${slower} of ${medians.length}`,
  );
}

function startBuild(folder) {
  const child = fork(fileURLToPath(import.meta.url), [resolve(folder), '', kind]);
  return {
    ask: (at) =>
      new Promise((done) => {
        child.once('message', done);
        child.send(at);
      }),
    end: () => child.disconnect(),
  };
}

/** Measures the requested expressions. */
function answer(runs) {
  process.on('message', (at) => process.send(measure(runs[at])));
}

/** Returns the functions to measure, by the index of the expression. */
async function prepared(folder) {
  const load = (path) => import(pathToFileURL(`${folder}/packages/${path}`).href);
  if (kind === 'plain') {
    const { parse } = await load('cel/dist/index.js');
    return expressions.map((text) => {
      const program = parse(text);
      return () => program(variables);
    });
  }
  // Older builds export it publicly, as `prepareCase`.
  const prepareExpression =
    (await load('engine/dist/index.js')).prepareCase ??
    (await load('engine/dist/internal.js')).prepareExpression;
  const declarations = Object.fromEntries(Object.keys(variables).map((name) => [name, 'dyn']));
  return expressions.map((expression) => {
    if (kind === 'compile') {
      let count = 0;
      return () =>
        prepareExpression({ expression: `dyn(${expression}) == ${count++}`, declarations });
    }
    const { program, values, costLimit } = prepareExpression({ expression, variables });
    const options = { costLimit };
    return () => program.evaluate(values, options);
  });
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

function median(values) {
  return [...values].sort((left, right) => left - right)[values.length >> 1];
}
