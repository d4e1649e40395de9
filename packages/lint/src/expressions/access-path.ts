import type { ComprehensionExpression, Expression } from '@kubeadmit/cel/syntax';

/** The way from a variable of the environment to a value: `object`, `spec`, `containers`, `[]`, `image`. */
export type AccessPath = readonly string[];

/** The meaning of names: the paths of loop variables, or of variables of the policy. */
export type NamedPaths = ReadonlyMap<string, AccessPath | undefined>;

/** The step to an element of a list. */
export const element = '[]';

/** The step to the value of a key of a map. */
export function keyStep(key: string): string {
  return `[${JSON.stringify(key)}]`;
}

/** The path that an expression reads; undefined where it is made in another way. */
export function accessPath(expression: Expression, names: NamedPaths): AccessPath | undefined {
  switch (expression.kind) {
    case 'identifier':
      return names.has(expression.name) ? names.get(expression.name) : [expression.name];
    case 'select': {
      if (expression.test) return undefined;
      const from = accessPath(expression.operand, names);
      if (from?.length === 1 && from[0] === 'variables') {
        const name = `variables.${expression.field}`;
        return names.has(name) ? names.get(name) : undefined;
      }
      return from && [...from, expression.field];
    }
    case 'call': {
      const [from, index] = expression.arguments;
      if (expression.function !== '_[_]' || from === undefined || index === undefined)
        return undefined;
      const path = accessPath(from, names);
      if (path === undefined || index.kind !== 'literal') return undefined;
      if (typeof index.value === 'string') return [...path, keyStep(index.value)];
      return [...path, element];
    }
    case 'comprehension':
      return expression.macro?.name === 'filter' ? accessPath(expression.range, names) : undefined;
    default:
      return undefined;
  }
}

/** The path of the elements that a loop goes over. */
export function elementPath(
  { range }: ComprehensionExpression,
  names: NamedPaths,
): AccessPath | undefined {
  const path = accessPath(range, names);
  return path && [...path, element];
}

/** Formats a path: `object.spec.containers[].image`. */
export function pathText(path: AccessPath): string {
  return path.map((step, i) => (i === 0 || step.startsWith('[') ? step : `.${step}`)).join('');
}
