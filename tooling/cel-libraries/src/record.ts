import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Draw, type LibraryCase } from './draw.ts';
import { FAMILIES } from './families.ts';
import { askOracle, isUnstable } from './oracle.ts';

// Writes a sample of every family, with the oracle's answers, to a folder: one file a family.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { count: { type: 'string', default: '250' }, seed: { type: 'string', default: '7' } },
});
const [folder] = positionals;
if (folder === undefined) throw new Error('usage: record <folder> [--count N] [--seed N]');

for (const [name, family] of Object.entries(FAMILIES)) {
  const draw = new Draw(Number(values.seed));
  const cases = new Map<string, LibraryCase>();
  while (cases.size < Number(values.count)) {
    const one = draw.finish(family(draw));
    cases.set(JSON.stringify(one), one);
  }
  const list = [...cases.values()];
  const first = askOracle(list);
  const second = askOracle(list);
  const lines = list.flatMap((one, index) => {
    const answer = first[index] ?? {};
    const again = JSON.stringify(second[index]);
    if (isUnstable(answer) || JSON.stringify(answer) !== again) return [];
    const id = `${name}-${String(index + 1).padStart(4, '0')}`;
    const variables = Object.keys(one.variables).length === 0 ? {} : { variables: one.variables };
    return [JSON.stringify({ id, expression: one.expression, ...variables, ...answer })];
  });
  writeFileSync(`${folder}/${name}.ndjson`, `${lines.join('\n')}\n`);
  process.stdout.write(`${name}: ${lines.length} cases\n`);
}
