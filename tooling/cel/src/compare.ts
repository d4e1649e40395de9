import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Random } from '@kubeadmit/random';
import { difference } from './difference.ts';
import type { GeneratedCase } from './generate/case.ts';
import { makeWorld } from './generate/world.ts';
import { makerOf } from './makers.ts';
import { Oracle } from './oracle.ts';
import { shrink } from './shrink.ts';

// Compares random cases of a sort, or expressions of a file (one a line), with a running oracle.

const { values } = parseArgs({
  options: {
    oracle: { type: 'string', default: process.env['ORACLE'] ?? 'oracle' },
    count: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    show: { type: 'string', default: '20' },
    file: { type: 'string' },
    sort: { type: 'string', default: 'expressions' },
  },
});

const batch = 500;
const progressEvery = 50_000;
const most = Number(values.show);
const oracle = new Oracle(values.oracle, 'eval');
const seen = new Set<string>();
const outcomes = new Map<string, number>();
let compared = 0;
let different = 0;

const batches = makeBatches();
let cases = batches.next().value;
let pending = cases && oracle.ask(cases);
while (cases !== undefined && pending !== undefined) {
  const answers = await pending;
  // The oracle works on the next batch while this one is compared.
  const following = batches.next().value;
  pending = following && oracle.ask(following);
  const suspects: (readonly [GeneratedCase, Readonly<Record<string, unknown>>])[] = [];
  for (const [index, input] of cases.entries()) {
    compared++;
    const expected = answers[index] ?? {};
    count(expected);
    if (difference(input, expected) !== undefined) suspects.push([input, expected]);
  }
  const next = await pending;
  for (const [input, expected] of suspects) {
    if (await isUnstable(input, expected)) continue;
    different++;
    if (seen.size < most) await show(input);
  }
  if (compared % progressEvery === 0) {
    process.stderr.write(`${compared} compared, ${different} different so far\n`);
  }
  pending = next && Promise.resolve(next);
  cases = following;
}
oracle.close();
const kinds = [...outcomes].map(([outcome, times]) => `${times} ${outcome}`).join(', ');
process.stdout.write(`${compared} compared (${kinds}), ${different} different\n`);
process.exitCode = different === 0 ? 0 : 1;

function* makeBatches(): Generator<readonly GeneratedCase[], undefined> {
  if (values.file !== undefined) {
    yield casesOfFile(values.file);
    return;
  }
  const next = makerOf(values.sort, Number(values.seed));
  for (let made = 0; made < Number(values.count); made += batch) {
    const size = Math.min(batch, Number(values.count) - made);
    yield Array.from({ length: size }, (_, index) => next(`${values.seed}-${made + index}`));
  }
}

/** Expressions, one a line, or whole cases as JSON. */
function casesOfFile(file: string): readonly GeneratedCase[] {
  const { variables } = makeWorld(new Random(1));
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return lines.map((line, index) => {
    const whole = line.startsWith('{"id"') ? (JSON.parse(line) as GeneratedCase) : undefined;
    return { id: String(index), expression: line, variables: whole ? {} : variables, ...whole };
  });
}

function count(answer: Readonly<Record<string, unknown>>): void {
  const outcome = ['result', 'error', 'issues', 'failure'].find((name) => name in answer) ?? '';
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
}

/** Go walks maps in random order: what does not answer nine times the same says nothing. */
async function isUnstable(input: GeneratedCase, expected: object): Promise<boolean> {
  const again = await oracle.ask(Array.from({ length: 8 }, () => input));
  return again.some((answer) => JSON.stringify(answer) !== JSON.stringify(expected));
}

async function show(input: GeneratedCase): Promise<void> {
  const small = await shrink(input, async (candidate) => {
    const [expected = {}] = await oracle.ask([candidate]);
    return (
      difference(candidate, expected) !== undefined && !(await isUnstable(candidate, expected))
    );
  });
  const [expected = {}] = await oracle.ask([small]);
  const text = difference(small, expected) ?? '';
  const key = `${small.expression}`;
  if (seen.has(key)) return;
  seen.add(key);
  const { id: _, expression, variables: __, ...rest } = small;
  process.stdout.write(`${expression} ${JSON.stringify(rest)}\n    ${text}\n`);
}
