import { childrenOf, type Expression, printExpression } from '@kubeadmit/cel/syntax';

/** An operation that an expression may give. */
export interface Patch {
  /** `add` and so on, where it is a literal. */
  readonly operation: string | undefined;
  readonly path: Expression;
  readonly value: Expression | undefined;
}

/** Whether a kind has the field of a JSON pointer; unknown fields count as present. */
export type HasField = (pointer: string) => boolean;

/**
 * The operations that an expression writes as `JSONPatch{…}`. With a kind, the operations of branches that its objects
 * never take are left out: `has()` of a field that the kind does not have, and another `object.kind`.
 */
export function patchesFor(
  expression: Expression,
  hasField: HasField = () => true,
  kind?: string,
): readonly Patch[] {
  const inner = (node: Expression): readonly Patch[] => {
    if (node.kind === 'struct' && node.name === 'JSONPatch') {
      const field = (name: string): Expression | undefined =>
        node.fields.find((each) => each.name === name)?.value;
      const op = field('op');
      const path = field('path');
      if (path === undefined) return [];
      const operation = op?.kind === 'literal' ? String(op.value) : undefined;
      return [{ operation, path, value: field('value') }];
    }
    if (node.kind === 'call' && node.function === '_?_:_') {
      const [test, whenTrue, whenFalse] = node.arguments;
      if (test === undefined || whenTrue === undefined || whenFalse === undefined) return [];
      const known = decided(test, hasField, kind);
      return [
        ...(known === false ? [] : inner(whenTrue)),
        ...(known === true ? [] : inner(whenFalse)),
      ];
    }
    return childrenOf(node).flatMap(inner);
  };
  return inner(expression);
}

/** Returns the result of a test if it is the same for all objects of a kind, otherwise `undefined`. */
function decided(
  test: Expression,
  hasField: HasField,
  kind: string | undefined,
): boolean | undefined {
  if (test.kind === 'select' && test.test) {
    const steps = stepsOf({ ...test, test: false });
    return steps === undefined || hasField(`/${steps.join('/')}`) ? undefined : false;
  }
  if (test.kind !== 'call') return undefined;
  const [first, second] = test.arguments;
  if (first === undefined) return undefined;
  const one = decided(first, hasField, kind);
  if (test.function === '!_') return one === undefined ? undefined : !one;
  if (second === undefined) return undefined;
  const other = decided(second, hasField, kind);
  switch (test.function) {
    case '_&&_':
      return one === false || other === false ? false : one === true ? other : undefined;
    case '_||_':
      return one === true || other === true ? true : one === false ? other : undefined;
    case '_==_':
      return ofKind(first, second, kind);
    case '@in': {
      if (second.kind !== 'list') return undefined;
      const each = second.elements.map((name) => ofKind(first, name, kind));
      return each.includes(true) ? true : each.includes(undefined) ? undefined : false;
    }
    default:
      return undefined;
  }
}

// `object.kind == "Pod"`
function ofKind(one: Expression, other: Expression, kind: string | undefined): boolean | undefined {
  const isKind = stepsOf(one)?.join('.') === 'kind';
  return isKind && other.kind === 'literal' && kind !== undefined
    ? other.value === kind
    : undefined;
}

// The fields that lead from `object` to a place.
function stepsOf(expression: Expression): readonly string[] | undefined {
  if (expression.kind === 'identifier') return expression.name === 'object' ? [] : undefined;
  if (expression.kind !== 'select') return undefined;
  const before = stepsOf(expression.operand);
  return before && [...before, expression.field];
}

/** Returns the known part of a path, with computed parts in braces: `/spec/containers/{string(index)}/image`. */
export function pathText(path: Expression): string {
  if (path.kind === 'literal') return String(path.value);
  if (path.kind === 'call' && path.function === '_+_') return path.arguments.map(pathText).join('');
  return `{${printExpression(path)}}`;
}
