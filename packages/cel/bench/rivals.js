// Measures the time to read, to evaluate, and to do both, beside `@marcbachmann/cel-js`, `cel-js` and `@bufbuild/cel`
// in the same run. Each library is called as its own documentation shows. The figures are processor time, measured
// alternately, so that other work on the machine affects all libraries alike.
//   pnpm --filter @kubeadmit/cel... build && node packages/cel/bench/rivals.js

import { readFileSync } from 'node:fs';
import * as bufbuild from '@bufbuild/cel';
import { strings } from '@bufbuild/cel/ext';
import { evaluate, parse } from '@kubeadmit/cel';
import * as marcbachmann from '@marcbachmann/cel-js';
import * as chevrotain from 'cel-js';

const { expressions, variables } = JSON.parse(
  readFileSync(new URL('expressions.json', import.meta.url), 'utf8'),
);
const ours = '@kubeadmit/cel';
const rounds = 7;
const roundTime = 40_000;
const used = new Set();

const marcbachmannEnvironment = new marcbachmann.Environment({ unlistedVariablesAreDyn: true });
const bufbuildEnvironment = bufbuild.celEnv({ funcs: strings });

/** By library: a text made ready to be evaluated, and a text evaluated. */
const libraries = {
  [ours]: { ready: (text) => parse(text), once: (text, variables) => evaluate(text, variables) },
  '@marcbachmann/cel-js': {
    ready: (text) => marcbachmannEnvironment.parse(text),
    once: (text, variables) => marcbachmann.evaluate(text, variables),
  },
  'cel-js': {
    ready: (text) => {
      const { cst, isSuccess } = chevrotain.parse(text);
      if (!isSuccess) throw new Error(text);
      return (context) => chevrotain.evaluate(cst, context);
    },
    once: (text, variables) => chevrotain.evaluate(text, variables),
  },
  '@bufbuild/cel': {
    ready: (text) => bufbuild.plan(bufbuildEnvironment, bufbuild.parse(text)),
    once: (text, variables) => {
      const result = bufbuild.run(text, variables, { funcs: strings });
      if (bufbuild.isCelError(result)) throw result;
      return result;
    },
  },
};

const kinds = {
  evaluate: (library, text, variables) => {
    const program = library.ready(text);
    return () => program(variables);
  },
  'evaluate a text that was seen before': (library, text, variables) => () =>
    library.once(text, variables),
  'parse (here without checking)': (library, text) => {
    let count = 0;
    return () => library.ready(another(text, ++count));
  },
  'parse, check, plan and evaluate': (library, text, variables) => {
    let count = 0;
    return () => library.ready(another(text, ++count))(variables);
  },
};

// Each library has separate variables: `cel-js` sets those of its loops in the object that it is given and takes them away
// again, after which engines read that object several times as slowly in all later uses.
const variablesOf = Object.fromEntries(
  Object.keys(libraries).map((name) => [name, structuredClone(variables)]),
);

/** Returns the text with its number encoded in trailing whitespace, so that no cache contains it. */
function another(text, number) {
  return text + number.toString(2).replaceAll('0', ' ').replaceAll('1', '\n');
}

console.log(`| | ${Object.keys(libraries).join(' | ')} |\n| --- |${' ---: |'.repeat(4)}`);
for (const [kind, prepare] of Object.entries(kinds)) {
  if (!kind.includes(process.argv[2] ?? '')) continue;
  const ratios = Object.fromEntries(Object.keys(libraries).map((name) => [name, []]));
  const own = [];
  for (const text of expressions) {
    const runs = Object.entries(libraries).flatMap(([name, library]) => {
      const run = runOf(prepare, library, text, variablesOf[name]);
      return run === undefined ? [] : [{ name, run, times: [] }];
    });
    for (const { run } of runs) measure(run);
    for (let round = 0; round < rounds; round++) {
      for (const { run, times } of runs) times.push(measure(run));
    }
    const least = (name) => {
      const found = runs.find((each) => each.name === name);
      return found === undefined ? undefined : Math.min(...found.times);
    };
    const base = least(ours);
    own.push(base);
    for (const name of Object.keys(libraries)) {
      const time = least(name);
      if (time !== undefined) ratios[name].push(time / base);
    }
    if (process.argv.includes('--each')) {
      const shown = runs.map(({ name }) => `${name} ${(least(name) / base).toFixed(2)}`).join(', ');
      console.error(`${kind}: ${text}: ${base.toFixed(0)} ns; ${shown}`);
    }
  }
  const cells = Object.entries(ratios).map(([name, values]) =>
    name === ours
      ? `${median(own).toFixed(0)} ns`
      : values.length === 0
        ? '–'
        : `${median(values).toFixed(1)}× (${Math.min(...values).toFixed(1)} to ${Math.max(...values).toFixed(1)}, of ${values.length})`,
  );
  console.log(`| ${kind} | ${cells.join(' | ')} |`);
}
if (used.size === 0) throw new Error('nothing was measured');

/** Returns the function to measure, or `undefined` if the library does not support the expression. */
function runOf(prepare, library, text, variables) {
  try {
    const run = prepare(library, text, variables);
    const result = run();
    if (bufbuild.isCelError(result)) return undefined;
    used.add(typeof result);
    return run;
  } catch {
    return undefined;
  }
}

/** The processor time of one run in nanoseconds. */
function measure(run) {
  let count = 0;
  let size = 8;
  const start = process.cpuUsage().user;
  for (let passed = 0; passed < roundTime; ) {
    for (let index = 0; index < size; index++) run();
    count += size;
    size = Math.min(size * 2, 1024);
    passed = process.cpuUsage().user - start;
  }
  return ((process.cpuUsage().user - start) * 1000) / count;
}

function median(values) {
  return [...values].sort((left, right) => left - right)[values.length >> 1];
}
