import { parseArgs } from 'node:util';
import type { Value } from '@kubeadmit/cel';
import { evaluateCase } from '@kubeadmit/engine';
import { Draw, type LibraryCase } from './draw.ts';
import { FAMILIES } from './families.ts';
import { type Answer, askOracle, isUnstable } from './oracle.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    show: { type: 'string', default: '10' },
  },
});

const batch = 5000;
let different = 0;

for (const name of positionals.length > 0 ? positionals : Object.keys(FAMILIES)) {
  different += compareFamily(name);
}
process.exitCode = different === 0 ? 0 : 1;

function compareFamily(name: string): number {
  const family = FAMILIES[name];
  if (family === undefined) {
    throw new Error(`there is no family ${name}; there are ${Object.keys(FAMILIES).join(', ')}`);
  }
  const draw = new Draw(Number(values.seed));
  const count = Number(values.count);
  let found = 0;
  let failed = 0;
  for (let done = 0; done < count; done += batch) {
    const size = Math.min(batch, count - done);
    const cases = Array.from({ length: size }, () => draw.finish(family(draw)));
    for (const [index, expected] of askOracle(cases).entries()) {
      const input = cases[index] as LibraryCase;
      failed += expected['error'] === undefined && expected['issues'] === undefined ? 0 : 1;
      const actual = ours(input);
      if (isUnstable(expected) || sorted(expected) === sorted(actual)) continue;
      if (found++ < Number(values.show)) {
        process.stdout.write(
          `${input.expression} ${JSON.stringify(input.variables)}\n  oracle ${JSON.stringify(expected)}\n  ours   ${JSON.stringify(actual)}\n`,
        );
      }
    }
  }
  process.stdout.write(`${name}: ${count} cases, ${failed} of them failures, ${found} different\n`);
  return found;
}

function ours(input: LibraryCase): Answer {
  const variables = input.variables as Readonly<Record<string, Value>>;
  return JSON.parse(JSON.stringify(evaluateCase({ ...input, variables }))) as Answer;
}

function sorted(answer: Answer): string {
  return JSON.stringify(Object.entries(answer).sort(([left], [right]) => (left < right ? -1 : 1)));
}
