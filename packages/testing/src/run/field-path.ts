/** Says that a field path cannot be read or followed; caught where cases are prepared. */
export class FieldPathProblem extends Error {}

/**
 * Reads a field path: names with dots, indexes and other names in brackets, quoted or not
 * (`spec.containers[0].image`, `metadata.labels["app.kubernetes.io/name"]`).
 *
 * @throws FieldPathProblem
 */
export function parsePath(text: string): readonly (string | number)[] {
  const steps: (string | number)[] = [];
  const step = /\.?([^.[\]"']+)|\[(\d+)\]|\["([^"]*)"\]|\['([^']*)'\]|\[([^\]"']+)\]/y;
  while (step.lastIndex < text.length) {
    const at = step.lastIndex;
    const match = step.exec(text);
    const isStart = at === 0 && text.startsWith('.');
    if (match === null || isStart)
      throw new FieldPathProblem(`\`${text}\` is not a valid field path`);
    const [, name, index, doubly, singly, plain] = match;
    steps.push(index === undefined ? (name ?? doubly ?? singly ?? plain ?? '') : Number(index));
  }
  if (steps.length === 0) throw new FieldPathProblem('an empty field path');
  return steps;
}
