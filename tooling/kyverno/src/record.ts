import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Random } from '@kubeadmit/random';
import { askOracle } from './oracle.ts';
import { canonical, isUsable, ourAnswer, subjects } from './subjects.ts';

/** How many cases of each kind are recorded. */
const counts: Readonly<Record<string, number>> = {
  autogen: 500,
  'cel-rules': 120,
  conditions: 900,
  contexts: 100,
  jmespath: 900,
  loops: 200,
  mutate: 350,
  'odd-arguments': 300,
  'object-patches': 150,
  'object-patterns': 200,
  'pod-security': 400,
  policies: 500,
  selection: 150,
  substitute: 500,
  validate: 450,
  yaml: 400,
};

const root = join(import.meta.dirname, '../../..');

/** Policies are no cases of the machine interface. */
function folderOf(name: string): string {
  return join(root, name === 'policies' ? 'packages/kyverno/test/cases' : 'conformance/kyverno');
}

const wanted = process.argv.slice(2);
for (const [name, subject] of Object.entries(subjects)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const random = new Random(20_261_121);
  const cases = Array.from({ length: (counts[name] ?? 0) * 2 }, () => subject.generate(random));
  const answers = await askOracle(subject.command, cases, subject.repeat ?? 8);
  const lines: string[] = [];
  let different = 0;
  for (const [at, item] of cases.entries()) {
    const answer = answers[at] ?? {};
    if (!isUsable(answer) || lines.length === counts[name]) continue;
    if (canonical(answer) === ourAnswer(subject, item))
      lines.push(`{"case":${JSON.stringify(item)},"answer":${canonical(answer)}}`);
    else different++;
  }
  await mkdir(folderOf(name), { recursive: true });
  await writeFile(join(folderOf(name), `${name}.ndjson`), `${lines.join('\n')}\n`);
  process.stdout.write(`${name}: ${lines.length} recorded, ${different} different and left out\n`);
}
