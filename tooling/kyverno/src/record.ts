import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { printJson } from '@kubeadmit/conformance-tools';
import { Random } from '@kubeadmit/random';
import { casesOf, comparisonOf, subjects } from './subjects.ts';

/** How many cases of each kind are recorded. */
const counts: Readonly<Record<string, number>> = {
  autogen: 500,
  'cel-rules': 120,
  conditions: 900,
  contexts: 100,
  exceptions: 300,
  generation: 250,
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

/** Subjects that are not part of the machine interface; their cases are beside the tests of the package. */
const ofPackage: readonly string[] = ['policies', 'generation'];

/** Returns the folder for the cases. */
function folderOf(name: string): string {
  return join(
    root,
    ofPackage.includes(name) ? 'packages/kyverno/test/cases' : 'conformance/kyverno',
  );
}

const wanted = process.argv.slice(2);
for (const [name, subject] of Object.entries(subjects)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const most = counts[name] ?? 0;
  // Only answers that Kyverno always gives in the same order are recorded.
  const comparison = await comparisonOf({ command: subject.command });
  const lines: string[] = [];
  let different = 0;
  for await (const verdict of comparison.verdicts(
    casesOf(subject, new Random(20_261_121), most * 2),
  )) {
    const { id: _, ...input } = verdict.input;
    const { id: __, ...answer } = verdict.expected;
    if (verdict.kind === 'different') different++;
    if (verdict.kind === 'equal' && lines.length < most)
      lines.push(printJson({ case: input, answer }));
  }
  await mkdir(folderOf(name), { recursive: true });
  await writeFile(join(folderOf(name), `${name}.ndjson`), `${lines.join('\n')}\n`);
  process.stdout.write(`${name}: ${lines.length} recorded, ${different} different and left out\n`);
}
