import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { CelError, Environment, type Program, type Value } from '../src/index.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const environment = new Environment({ variables: { object: 'dyn' } });

function plan(expression: string): Program {
  const { checked } = environment.compile(expression);
  const program = checked && environment.plan(checked);
  if (program === undefined || program instanceof CelError) {
    throw new Error(`${expression} cannot be planned`);
  }
  return program;
}

/** An object with data of about so many bytes beside what is read. */
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
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let index = 0; index < evaluations; index++) program.evaluate(bindings);
  return (process.memoryUsage().heapUsed - before) / evaluations;
}

test.each([
  'object.spec.replicas <= 5',
  "has(object.metadata.labels) && 'app' in object.metadata.labels",
  "object.spec.containers.all(c, c.image.startsWith('registry.example.com/'))",
  'object == null || has(object.data)',
])('%s allocates no more for a large object', (expression) => {
  const program = plan(expression);
  const [small, large] = [objectOf(1000), objectOf(1_000_000)];
  let [forSmall, forLarge] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  // Code that is not compiled yet allocates more, and how soon it is depends on what else the machine does.
  for (let attempt = 0; attempt < 50 && (attempt < 10 || forLarge >= forSmall + 100); attempt++) {
    forSmall = Math.min(forSmall, allocation(program, small));
    forLarge = Math.min(forLarge, allocation(program, large));
  }
  expect(forLarge).toBeLessThan(forSmall + 100);
});
