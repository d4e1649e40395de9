import type { FunctionDeclaration, Type } from '@kubeadmit/cel';
import { type FunctionRow, functionsOf } from '@kubeadmit/cel/declarations';

/**
 * Builds functions from rows (see `functionsOf` of `@kubeadmit/cel`), each of which may name several functions,
 * separated by spaces: overloads have different ids under each name.
 */
export function functionsNamed(
  rows: readonly FunctionRow[],
  types?: Readonly<Record<string, Type>>,
): readonly FunctionDeclaration[] {
  const each = rows.flatMap(([names, id, ...rest]) =>
    names
      .split(' ')
      .map((name, index): FunctionRow => [name, index === 0 ? id : `${id}_${index}`, ...rest]),
  );
  return functionsOf(each, types);
}
