import {
  answerAutogen,
  answerConditions,
  answerJmesPath,
  answerRules,
  answerSubstitute,
  toJsonText,
} from '@kubeadmit/kyverno';
import { generateConditions } from './generate-conditions.ts';
import { generateJmesPath } from './generate-jmespath.ts';
import { generateMutation } from './generate-mutation.ts';
import { generateValidation } from './generate-rules.ts';
import { generateSubstitute } from './generate-substitute.ts';
import { type Answer, askOracle, type Command } from './oracle.ts';
import { Random } from './random.ts';

/** What is compared for a command: a maker of cases and our answer to one. */
interface Subject {
  readonly generate: (random: Random) => object;
  readonly answer: (item: never) => object;
}

const subjects: Readonly<Record<string, Subject>> = {
  conditions: { generate: generateConditions, answer: answerConditions },
  substitute: { generate: generateSubstitute, answer: answerSubstitute },
  rules: { generate: generateValidation, answer: answerRules },
  'rules/mutate': { generate: generateMutation, answer: answerRules },
  jmespath: { generate: generateJmesPath, answer: answerJmesPath },
};

/** Our answer as the oracle would write it. */
function ourAnswer(subject: Subject, item: object): string {
  try {
    return canonical(subject.answer(item as never));
  } catch (problem) {
    return `THROWN ${problem instanceof Error ? problem.stack : problem}`;
  }
}

function canonical(value: unknown): string {
  return toJsonText(JSON.parse(toJsonText(value) ?? '"unencodable"')) ?? '';
}

function isUsable(answer: Answer): boolean {
  return !('panic' in answer || 'unencodable' in answer || 'unstable' in answer);
}

const [name = 'jmespath', count = '1000', seed = '1'] = process.argv.slice(2);
const [command = ''] = name.split('/');
const subject = subjects[name];
if (subject === undefined) throw new Error(`unknown command ${command}`);
const random = new Random(Number(seed));
const batch = 2000;
let compared = 0;
let skipped = 0;
let different = 0;
for (let done = 0; done < Number(count); done += batch) {
  const cases = Array.from({ length: Math.min(batch, Number(count) - done) }, () =>
    subject.generate(random),
  );
  const answers = await askOracle(command as Command, cases, 8);
  for (const [at, item] of cases.entries()) {
    const answer = answers[at] ?? {};
    if (!isUsable(answer)) {
      skipped++;
      ourAnswer(subject, item);
      continue;
    }
    compared++;
    const ours = ourAnswer(subject, item);
    if (ours === canonical(answer)) continue;
    different++;
    if (different <= 25) {
      process.stdout.write(
        `case   ${JSON.stringify(item)}\noracle ${canonical(answer)}\nours   ${ours}\n\n`,
      );
    }
  }
}
process.stdout.write(
  `${command}: ${compared} compared, ${skipped} skipped, ${different} different\n`,
);
if (different > 0) process.exitCode = 1;
