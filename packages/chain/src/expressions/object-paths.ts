import type { Expression } from '@kubeadmit/cel/syntax';

/** The path of a value: first its root, `object` of the request or `params`, then the steps from there. */
export type ObjectPath = readonly (string | number)[];

/** A line, and its file where that is not the manifest's. */
export interface ReadLine {
  /** The line, from 1 on. */
  readonly line: number;
  /** The name of the file. */
  readonly file?: string;
}

/** Returns the line of a value, or `undefined` if it is not in the file. */
export type LineOfPath = (path: ObjectPath) => ReadLine | undefined;

const roots: ReadonlySet<string> = new Set(['object', 'params']);

/** Where the variables of loops lie in the object; undefined where they lie elsewhere. */
export type Names = ReadonlyMap<string, ObjectPath | undefined>;

/**
 * The place in the object or the parameter that an expression reads, also through variables of the policy, `.?field`
 * and `orValue`; undefined for other expressions.
 *
 * @param variables where the variables of the policy lie, by name.
 */
export function objectPath(
  expression: Expression,
  names: Names,
  variables: ReadonlyMap<string, ObjectPath>,
): ObjectPath | undefined {
  if (expression.kind === 'identifier') {
    const { name } = expression;
    return names.has(name) || !roots.has(name) ? names.get(name) : [name];
  }
  if (expression.kind === 'select' && !expression.test) {
    const { operand, field } = expression;
    if (operand.kind === 'identifier' && operand.name === 'variables') return variables.get(field);
    const from = objectPath(operand, names, variables);
    return from && [...from, field];
  }
  if (expression.kind !== 'call') return undefined;
  const { function: name, target } = expression;
  if (name === 'orValue' && target !== undefined) return objectPath(target, names, variables);
  if (!reading.has(name)) return undefined;
  const [operand, index] = expression.arguments;
  const from = operand && objectPath(operand, names, variables);
  const key = index?.kind === 'literal' ? index.value : undefined;
  return from && (typeof key === 'string' || typeof key === 'number') ? [...from, key] : undefined;
}

const reading: ReadonlySet<string> = new Set(['_[_]', '_?._', '_[?_]']);
