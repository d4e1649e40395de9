import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { difference } from './difference.ts';
import { type GeneratedCase, Generator } from './generate.ts';
import { Oracle } from './oracle.ts';
import { Random } from './random.ts';
import { shrink } from './shrink.ts';

// Compares random expressions, or those of a file (one a line), with a running oracle.

const { values } = parseArgs({
  options: {
    oracle: { type: 'string', default: process.env['ORACLE'] ?? 'oracle' },
    count: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    show: { type: 'string', default: '20' },
    file: { type: 'string' },
  },
});

const batch = 500;
const most = Number(values.show);
const oracle = new Oracle(values.oracle, 'eval');
const seen = new Set<string>();
let compared = 0;
let different = 0;

for await (const cases of batches()) {
  const answers = await oracle.ask(cases);
  for (const [index, input] of cases.entries()) {
    compared++;
    const expected = answers[index] ?? {};
    const found = difference(input, expected);
    if (found === undefined || (await isUnstable(input, expected))) {
      continue;
    }
    different++;
    if (seen.size < most) {
      await show(input);
    }
  }
}
oracle.close();
process.stdout.write(`${compared} compared, ${different} different\n`);
process.exitCode = different === 0 ? 0 : 1;

async function* batches(): AsyncGenerator<readonly GeneratedCase[]> {
  if (values.file !== undefined) {
    const variables = new Generator(new Random(1)).case('').variables;
    const lines = readFileSync(values.file, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
    yield lines.map((expression, index) => ({ id: String(index), expression, variables }));
    return;
  }
  const generator = new Generator(new Random(Number(values.seed)));
  for (let made = 0; made < Number(values.count); made += batch) {
    yield Array.from({ length: batch }, (_, index) =>
      generator.case(`${values.seed}-${made + index}`),
    );
  }
}

/** Go walks maps in random order: what does not answer twice the same says nothing. */
async function isUnstable(input: GeneratedCase, expected: object): Promise<boolean> {
  const again = await oracle.ask([input, input, input, input]);
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
  if (seen.has(key)) {
    return;
  }
  seen.add(key);
  const declared = small.declarations === undefined ? '' : ' (declared)';
  const version = small.kubernetesVersion ?? '';
  process.stdout.write(`${small.expression}${declared} ${version}\n    ${text}\n`);
}
