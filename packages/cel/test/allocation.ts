// Prints the bytes that an evaluation of an expression allocates, for a small and for a large object:
//
//   node --expose-gc --import tsx --conditions=@kubeadmit/source allocation.ts EXPRESSION

import { CelError, Environment, type Program, type Value } from '../src/index.ts';

const collectGarbage = globalThis.gc;
if (collectGarbage === undefined) throw new Error('run node with --expose-gc');

const environment = new Environment({ variables: { object: 'dyn' } });

function plan(expression: string): Program {
  const { checked } = environment.compile(expression);
  const program = checked && environment.plan(checked);
  if (program === undefined || program instanceof CelError) {
    throw new Error(`${expression} cannot be planned`);
  }
  return program;
}

/** An object with about this many bytes of data beside the part that is read. */
function objectOf(bytes: number): Value {
  const data: Record<string, Value> = {};
  for (let index = 0; index < bytes / 100; index++) {
    data[`key-${index}`] = ['text'.repeat(20), { index }];
  }
  const metadata = { name: 'web', labels: { app: 'web' } };
  const containers = [{ name: 'web', image: 'registry.example.com/web:1' }];
  return { metadata, spec: { replicas: 3, containers }, data };
}

const evaluations = 2000;

/** The bytes that an evaluation allocates. */
function allocation(program: Program, object: Value): number {
  const bindings = { object };
  collectGarbage?.();
  const before = process.memoryUsage().heapUsed;
  for (let index = 0; index < evaluations; index++) program.evaluate(bindings);
  return (process.memoryUsage().heapUsed - before) / evaluations;
}

const program = plan(process.argv[2] ?? '');
const [small, large] = [objectOf(1000), objectOf(1_000_000)];
let [forSmall, forLarge] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
// Code that is not compiled yet allocates more, and the time of its compilation depends on the load of the machine.
for (let attempt = 0; attempt < 50 && (attempt < 10 || forLarge >= forSmall + 100); attempt++) {
  forSmall = Math.min(forSmall, allocation(program, small));
  forLarge = Math.min(forLarge, allocation(program, large));
}
console.log(JSON.stringify({ forSmall, forLarge }));
