import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { describeSyntaxErrors, type SyntaxIssue } from '@kubeadmit/cel/syntax-errors';
import { Random } from '@kubeadmit/random';
import { brokenExpression } from './broken-expressions.ts';
import { type Answer, askOracle } from './oracle.ts';

const corpusFile = new URL('../corpus.txt', import.meta.url);
const batchSize = 5000;

/** Messages that come from the parser; all others come from the checker. */
const fromParser =
  /^(?:Syntax error|reserved identifier|invalid (?:int|uint|double) literal|unable to unescape|invalid unicode|argument |iteration variable|duplicate variable|invalid argument to has|sortBy can|optMap|optFlatMap|unsupported (?:syntax|ident)|unexpected character|expression (?:code|recursion)|max recursion)/;

/** Tells whether ours are the oracle's issues; what only its checker finds is none of our business. */
function agrees(ours: readonly SyntaxIssue[], answer: Answer): boolean {
  if (answer.failure !== undefined) return true;
  if (ours.length > 0) return JSON.stringify(ours) === JSON.stringify(answer.issues);
  return !answer.issues.some(({ message }) => fromParser.test(message));
}

/** The shortest expression found by leaving out characters that still is a difference. */
async function shrink(oracle: string, expression: string): Promise<string> {
  let shortest = expression;
  for (let size = Math.ceil(expression.length / 2); size >= 1; ) {
    const starts = Array.from({ length: Math.min(shortest.length, 400) }, (_, start) => start);
    const tries = starts.map((start) => shortest.slice(0, start) + shortest.slice(start + size));
    const answers = await askOracle(oracle, tries);
    const found = tries.find((attempt, index) => {
      const answer = answers[index];
      return (
        attempt.length < shortest.length &&
        answer !== undefined &&
        !agrees(describeSyntaxErrors(attempt), answer)
      );
    });
    if (found === undefined) size = size === 1 ? 0 : Math.ceil(size / 2);
    else shortest = found;
  }
  return shortest;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      oracle: { type: 'string', default: process.env['ORACLE'] ?? 'oracle' },
      count: { type: 'string', default: '20000' },
      seed: { type: 'string', default: '1' },
      show: { type: 'string', default: '5' },
    },
  });
  const corpus = readFileSync(corpusFile, 'utf8').split('\n').filter(Boolean);
  const random = new Random(Number(values.seed));
  const counts = { cases: 0, broken: 0, issues: 0, different: 0 };
  let slowest = 0;
  while (counts.cases < Number(values.count)) {
    const batch = Array.from({ length: batchSize }, () => brokenExpression(corpus, random));
    const answers = await askOracle(values.oracle, batch);
    for (const [index, expression] of batch.entries()) {
      const answer = answers[index];
      if (answer === undefined) continue;
      const before = performance.now();
      const ours = describeSyntaxErrors(expression);
      slowest = Math.max(slowest, performance.now() - before);
      counts.cases += 1;
      counts.issues += ours.length;
      if (ours.length > 0) counts.broken += 1;
      if (agrees(ours, answer)) continue;
      counts.different += 1;
      if (counts.different > Number(values.show)) continue;
      const short = await shrink(values.oracle, expression);
      const [theirs] = await askOracle(values.oracle, [short]);
      const shown = { expression: short, ours: describeSyntaxErrors(short), theirs };
      process.stdout.write(`${JSON.stringify(shown, null, 2)}\n`);
    }
  }
  const milliseconds = Math.round(slowest);
  process.stdout.write(`${JSON.stringify({ ...counts, slowest: `${milliseconds} ms` })}\n`);
  if (counts.different > 0) process.exitCode = 1;
}

await main();
