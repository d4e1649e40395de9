import { describeSyntaxErrors } from '@kubeadmit/cel/syntax-errors';
import { linesOf, makerOf } from './makers.ts';

/** How many expressions may have messages of one shape. */
const each = 4;

/** The expressions of `syntax-cases.ndjson` and so many random ones that do not parse, a few of each shape of messages. */
export function brokenSample(count: number): readonly { readonly expression: string }[] {
  const expressions = new Set(
    linesOf('syntax-cases.ndjson').map((line): string => JSON.parse(line)),
  );
  const wanted = expressions.size + count;
  const next = makerOf('broken', 1);
  const shapes = new Map<string, number>();
  while (expressions.size < wanted) {
    const { expression } = next('');
    const shape = shapeOf(expression);
    const present = shapes.get(shape) ?? 0;
    const isUsable = shape !== '' && expression.length <= 90 && !/\p{Surrogate}/u.test(expression);
    if (!isUsable || present >= each || expressions.has(expression)) continue;
    shapes.set(shape, present + 1);
    expressions.add(expression);
  }
  return [...expressions].map((expression) => ({ expression }));
}

/** Messages without the names of the expression: cases of one shape test the same. */
function shapeOf(expression: string): string {
  return describeSyntaxErrors(expression)
    .map(({ message }) => message.replace(/'.*'(?= |$)|\{.*\}/gsu, '…').slice(0, 80))
    .join('|');
}
