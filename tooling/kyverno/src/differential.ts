import { Random } from '@kubeadmit/random';
import { askOracle } from './oracle.ts';
import { canonical, isUsable, ourAnswer, subjects } from './subjects.ts';

const [name = '', count = '1000', seed = '1'] = process.argv.slice(2);
const subject = subjects[name];
if (subject === undefined) throw new Error(`name one of ${Object.keys(subjects).join(', ')}`);
const random = new Random(Number(seed));
const batch = 2000;
const { normalize = (answer: string) => answer } = subject;
const repeat = subject.repeat ?? (subject.normalize ? 1 : 8);
let compared = 0;
let skipped = 0;
let different = 0;
for (let done = 0; done < Number(count); done += batch) {
  const size = Math.min(batch, Number(count) - done);
  const cases = Array.from({ length: size }, () => subject.generate(random));
  const answers = await askOracle(subject.command, cases, repeat);
  for (const [at, item] of cases.entries()) {
    const answer = answers[at] ?? {};
    const ours = normalize(ourAnswer(subject, item));
    const theirs = normalize(canonical(answer));
    const isComparable = isUsable(answer);
    if (isComparable) compared++;
    else skipped++;
    if (isComparable ? ours === theirs : !ours.startsWith('THROWN')) continue;
    different++;
    if (different <= 25) {
      const lines = [`case   ${JSON.stringify(item)}`, `oracle ${theirs}`, `ours   ${ours}`];
      process.stdout.write(`${lines.join('\n')}\n\n`);
    }
  }
}
process.stdout.write(`${name}: ${compared} compared, ${skipped} skipped, ${different} different\n`);
if (different > 0) process.exitCode = 1;
