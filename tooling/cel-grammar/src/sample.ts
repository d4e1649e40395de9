import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { describeSyntaxErrors } from '@kubeadmit/cel/syntax-errors';
import { Random } from '@kubeadmit/random';
import { brokenExpression } from './broken-expressions.ts';

/** Messages without what the expression brought in: cases of one shape teach the same. */
function shapeOf(expression: string): string {
  return describeSyntaxErrors(expression)
    .map(({ message }) => message.replace(/'.*'(?= |$)|\{.*\}/gsu, '…').slice(0, 80))
    .join('|');
}

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '700' },
    each: { type: 'string', default: '4' },
    seed: { type: 'string', default: '1' },
  },
});
const lines = (name: string): string[] =>
  readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')
    .split('\n')
    .filter(Boolean);
const written: string[] = lines('syntax-cases.ndjson').map((line) => JSON.parse(line));
const expressions = new Set<string>(written);
const corpus = lines('corpus.txt');
const random = new Random(Number(values.seed));
const shapes = new Map<string, number>();
while (expressions.size < written.length + Number(values.count)) {
  const expression = brokenExpression(corpus, random);
  const shape = shapeOf(expression);
  const present = shapes.get(shape) ?? 0;
  const usable = shape !== '' && expression.length <= 90 && !/\p{Surrogate}/u.test(expression);
  if (!usable || present >= Number(values.each) || expressions.has(expression)) continue;
  shapes.set(shape, present + 1);
  expressions.add(expression);
}
for (const [index, expression] of [...expressions].entries()) {
  const id = `syntax-${String(index + 1).padStart(4, '0')}`;
  process.stdout.write(`${JSON.stringify({ id, expression })}\n`);
}
