import type { LineNote } from '../editor/line-note.ts';
import type { ExplainedExpression, ExplainedPolicy } from '../worker/judgement.ts';

/**
 * Returns the notes beside the lines of a file.
 *
 * A note contains the value of an expression for one object and the results of its validations for all objects.
 *
 * @param explanations the policies of each object
 * @param selected the object whose values are shown
 */
export function lineNotes(
  file: string,
  explanations: readonly (readonly ExplainedPolicy[])[],
  selected: number,
): LineNote[] {
  const found = new Map<number, { values: Set<string>; shown?: ExplainedExpression }>();
  for (const [index, policies] of explanations.entries()) {
    for (const expression of expressionsOf(policies)) {
      if (expression.file !== file || expression.line === undefined) continue;
      const known = found.get(expression.line) ?? { values: new Set<string>() };
      found.set(expression.line, known);
      known.values.add(expression.error === undefined ? (expression.value ?? '') : 'error');
      if (index === selected) known.shown = expression;
    }
  }
  return [...found]
    .sort(([a], [b]) => a - b)
    .map(([line, { values, shown }]) => ({
      line,
      text: shown === undefined ? '' : (shown.error ?? shown.value ?? ''),
      isError: shown?.error !== undefined,
      coverage: coverageOf(values),
      parts: (shown?.steps ?? []).map(({ expression, value }) => [expression, value] as const),
    }));
}

function expressionsOf(policies: readonly ExplainedPolicy[]): ExplainedExpression[] {
  return policies.flatMap(({ bindings }) =>
    bindings.flatMap(({ evaluations }) => evaluations.flatMap(({ expressions }) => expressions)),
  );
}

function coverageOf(values: ReadonlySet<string>): LineNote['coverage'] {
  const isTrue = values.has('true');
  const isFalse = values.has('false');
  if (isTrue && isFalse) return 'both';
  if (isTrue) return 'only true';
  return isFalse ? 'only false' : 'value';
}
