import type { Node } from '../jmespath/node.ts';
import { parse } from '../jmespath/parse.ts';
import { JmesPathSyntaxError } from '../jmespath/syntax-error.ts';

/** The way of a JMESPath expression that only reads: `a.b[0]` is `['a', 'b', 0]`; undefined for any other. */
export function readPath(expression: string): readonly (string | number)[] | undefined {
  try {
    return pathOf(parse(expression.trim()));
  } catch (error) {
    if (error instanceof JmesPathSyntaxError) return undefined;
    throw error;
  }
}

function pathOf({ kind, value, children }: Node): readonly (string | number)[] | undefined {
  if (kind === 'field') return [String(value)];
  if (kind === 'index' && typeof value === 'number' && value >= 0) return [value];
  if (kind === 'identity' || kind === 'current') return [];
  if (kind !== 'subexpression' && kind !== 'indexed') return undefined;
  const paths = children.map(pathOf);
  return paths.includes(undefined) ? undefined : paths.flatMap((path) => path ?? []);
}
