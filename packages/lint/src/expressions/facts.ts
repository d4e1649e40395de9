import type { CallExpression, Expression } from '@kubeadmit/cel/syntax';
import { type AccessPath, accessPath, keyStep, type NamedPaths, pathText } from './access-path.ts';

/** Facts that are certain when an expression is evaluated. */
export interface Facts {
  /** Paths, as text, of values that are there and not null. */
  readonly present: ReadonlySet<string>;
  /** The operations that a request may still have. */
  readonly operations: ReadonlySet<string>;
}

/** Facts with more of them. */
export function withFacts(facts: Facts, more: Implied): Facts {
  if (more.present.length === 0 && more.operations === undefined) return facts;
  const { operations } = more;
  return {
    present: new Set([...facts.present, ...more.present]),
    operations:
      operations === undefined
        ? facts.operations
        : new Set([...facts.operations].filter((each) => operations(each))),
  };
}

/** Facts that follow from the value of an expression. */
export interface Implied {
  readonly present: readonly string[];
  /** Which operations it leaves. */
  readonly operations?: ((operation: string) => boolean) | undefined;
}

const nothing: Implied = { present: [] };

/** Returns the facts that follow from an expression's truth value. */
export function implied(expression: Expression, value: boolean, names: NamedPaths): Implied {
  if (expression.kind === 'select' && expression.test) {
    if (!value) return nothing;
    const path = accessPath(expression.operand, names);
    return path === undefined ? nothing : { present: prefixes([...path, expression.field]) };
  }
  if (expression.kind !== 'call') return nothing;
  const [left, right] = expression.arguments;
  if (left === undefined) return callImplied(expression, value, names);
  switch (expression.function) {
    case '!_':
      return implied(left, !value, names);
    case '_&&_':
    case '_||_': {
      const isBoth = (expression.function === '_&&_') === value;
      if (right === undefined || !isBoth) return nothing;
      return both(implied(left, value, names), implied(right, value, names));
    }
    case '_==_':
    case '_!=_':
      return right === undefined
        ? nothing
        : comparisonImplied(left, right, value === (expression.function === '_==_'), names);
    case '@in':
      return right === undefined ? nothing : inImplied(left, right, value, names);
    default:
      return callImplied(expression, value, names);
  }
}

// After a call returned a value, everything that it reads is known to exist.
function callImplied(expression: CallExpression, _value: boolean, names: NamedPaths): Implied {
  const parts = [
    ...(expression.target === undefined ? [] : [expression.target]),
    ...expression.arguments,
  ];
  const present = parts.flatMap((part) => {
    const path = accessPath(part, names);
    return path === undefined ? optionalReads(part, names) : prefixes(path);
  });
  return { present };
}

// `x.?y.orValue([]).size() > 0` asks for a value as well as `has(x.y)` does.
function optionalReads(expression: Expression, names: NamedPaths): readonly string[] {
  if (expression.kind === 'select') return optionalReads(expression.operand, names);
  if (expression.kind !== 'call') return [];
  const { target, arguments: values } = expression;
  const [from, field] = values;
  if (expression.function === '_?._' || expression.function === '_[?_]') {
    const path = from && (accessPath(from, names) ?? optionalPath(from, names));
    const name = field?.kind === 'literal' ? field.value : undefined;
    if (path === undefined || typeof name !== 'string') return [];
    return [...prefixes([...path, name]), pathText([...path, keyStep(name)])];
  }
  const parts = [...(target === undefined ? [] : [target]), ...values];
  return parts.flatMap((part) => optionalReads(part, names));
}

function optionalPath(expression: Expression, names: NamedPaths): AccessPath | undefined {
  if (expression.kind === 'select') {
    const path = optionalPath(expression.operand, names) ?? accessPath(expression.operand, names);
    return path && [...path, expression.field];
  }
  if (expression.kind !== 'call' || expression.function !== '_?._') return undefined;
  const [from, field] = expression.arguments;
  const path = from && (accessPath(from, names) ?? optionalPath(from, names));
  const name = field?.kind === 'literal' ? field.value : undefined;
  return path && typeof name === 'string' ? [...path, name] : undefined;
}

function both(left: Implied, right: Implied): Implied {
  const [a, b] = [left.operations, right.operations];
  const operations =
    a === undefined || b === undefined ? (a ?? b) : (each: string) => a(each) && b(each);
  return { present: [...left.present, ...right.present], operations };
}

function comparisonImplied(
  left: Expression,
  right: Expression,
  isEqual: boolean,
  names: NamedPaths,
): Implied {
  const literal = right.kind === 'literal' ? right : left.kind === 'literal' ? left : undefined;
  const other = literal === right ? left : right;
  const path = accessPath(other, names);
  if (path === undefined) return { present: optionalReads(other, names) };
  if (literal === undefined) return { present: prefixes(path) };
  if (pathText(path) === 'request.operation' && typeof literal.value === 'string') {
    const { value } = literal;
    return { present: [], operations: (each) => (each === value) === isEqual };
  }
  const isNull = literal.value === null;
  // A comparison with null only shows that the value is not null; a comparison with a value shows that it exists.
  if (isNull) return isEqual ? nothing : { present: prefixes(path) };
  return { present: isEqual ? prefixes(path) : prefixes(path.slice(0, -1)) };
}

function inImplied(
  left: Expression,
  right: Expression,
  value: boolean,
  names: NamedPaths,
): Implied {
  const leftPath = accessPath(left, names);
  if (
    leftPath !== undefined &&
    pathText(leftPath) === 'request.operation' &&
    right.kind === 'list'
  ) {
    const listed = right.elements.map((each) => (each.kind === 'literal' ? each.value : undefined));
    return { present: [], operations: (each) => listed.includes(each) === value };
  }
  const path = accessPath(right, names);
  if (path === undefined) return nothing;
  const own = prefixes(path);
  if (!value || left.kind !== 'literal' || typeof left.value !== 'string') return { present: own };
  return {
    present: [...own, pathText([...path, keyStep(left.value)]), pathText([...path, left.value])],
  };
}

/** The texts of a path and of all that it leads through. */
function prefixes(path: readonly string[]): string[] {
  return path.map((_, i) => pathText(path.slice(0, i + 1)));
}
