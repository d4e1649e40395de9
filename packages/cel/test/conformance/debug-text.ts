import { formatFloat64, quote, quoteBytes } from '@kubeadmit/go';
import { Uint, type Value } from '../../src/index.ts';
import type { CheckedExpression } from '../../src/internal.ts';
import type { Expression } from '../../src/syntax.ts';
import { formatCelType } from '../../src/types.ts';
import { doubleValue, isInt } from '../../src/values.ts';

/** Returns the text after a printed node, or after an entry of a map or struct. */
export type Adorn = (node: Expression | 'entry') => string;

/** Prints a tree as cel-go's `debug.ToAdornedDebugString`. */
export function debugText(
  expression: Expression,
  adorn: Adorn,
  checked?: CheckedExpression,
): string {
  return print(expression, { adorn, checked });
}

interface Options {
  readonly adorn: Adorn;
  /** Where given, names are printed as the checker resolved them. */
  readonly checked: CheckedExpression | undefined;
}

function print(expression: Expression, options: Options): string {
  return `${printBare(expression, options)}${options.adorn(expression)}`;
}

function printBare(expression: Expression, options: Options): string {
  const inner = (node: Expression): string => print(node, options);
  const reference = options.checked?.references[expression.id];
  if (reference !== undefined && reference.kind !== 'function' && reference.kind !== 'struct') {
    return reference.name;
  }
  switch (expression.kind) {
    case 'literal':
      return literal(expression.value);
    case 'identifier':
      return expression.name;
    case 'select':
      return `${inner(expression.operand)}.${expression.field}${expression.test ? '~test-only~' : ''}`;
    case 'call': {
      const resolved = reference?.kind === 'function' ? reference : undefined;
      const target =
        expression.target === undefined || resolved?.qualified === true
          ? ''
          : `${inner(expression.target)}.`;
      const name = resolved?.declaration.name ?? expression.function;
      return `${target}${name}${bracketed('(', expression.arguments.map(inner), ')')}`;
    }
    case 'list':
      return bracketed('[', expression.elements.map(inner), ']');
    case 'map':
      return bracketed(
        '{',
        expression.entries.map(
          ({ key, value, optional }) =>
            `${optional ? '?' : ''}${inner(key)}:${inner(value)}${options.adorn('entry')}`,
        ),
        '}',
      );
    case 'struct': {
      const name = reference?.kind === 'struct' ? reference.name : expression.name;
      const fields = expression.fields.map(
        (field) =>
          `${field.optional ? '?' : ''}${field.name}:${inner(field.value)}${options.adorn('entry')}`,
      );
      return `${name}${bracketed('{', fields, '}')}`;
    }
    case 'comprehension': {
      const parts = [
        '// Variable',
        `${expression.variable},`,
        ...(expression.secondVariable === undefined ? [] : [`${expression.secondVariable},`]),
        '// Target',
        `${inner(expression.range)},`,
        '// Accumulator',
        `${expression.accumulator},`,
        '// Init',
        `${inner(expression.initial)},`,
        '// LoopCondition',
        `${inner(expression.condition)},`,
        '// LoopStep',
        `${inner(expression.step)},`,
        '// Result',
        inner(expression.result),
      ];
      return `__comprehension__(\n${indent(parts.join('\n'))})`;
    }
    default:
      return expression satisfies never;
  }
}

function bracketed(open: string, parts: readonly string[], close: string): string {
  return parts.length === 0 ? `${open}${close}` : `${open}\n${indent(parts.join(',\n'))}\n${close}`;
}

function indent(text: string): string {
  return text.replace(/^/gm, '  ');
}

function literal(value: Value): string {
  const double = doubleValue(value);
  if (double !== undefined) return formatFloat64(double);
  if (typeof value === 'string') return quote(value);
  if (value instanceof Uint8Array) return `b${quoteBytes(value)}`;
  return value instanceof Uint ? `${value.value}u` : String(value);
}

/** Adorns each node with the name of its kind in cel-go's protobuf form. */
export const kinds: Adorn = (node) => {
  if (node === 'entry') return '^#*expr.Expr_CreateStruct_Entry#';
  return node.kind === 'literal'
    ? `^#*expr.Constant_${literalKind(node.value)}Value#`
    : `^#*expr.Expr_${nodeKinds[node.kind]}Expr#`;
};

const nodeKinds: Readonly<Record<Exclude<Expression['kind'], 'literal'>, string>> = {
  call: 'Call',
  comprehension: 'Comprehension',
  identifier: 'Ident',
  list: 'List',
  map: 'Struct',
  select: 'Select',
  struct: 'Struct',
};

function literalKind(value: Value): string {
  if (isInt(value)) return 'Int64';
  if (doubleValue(value) !== undefined) return 'Double';
  if (value instanceof Uint) return 'Uint64';
  if (value instanceof Uint8Array) return 'Bytes';
  return value === null ? 'Null' : typeof value === 'string' ? 'String' : 'Bool';
}

/** Adorns each node with its type and the declaration of its name. */
export function semantics({ types, references }: CheckedExpression): Adorn {
  return (node) => {
    if (node === 'entry') return '';
    const type = types[node.id];
    const reference = references[node.id];
    const meaning =
      reference === undefined
        ? ''
        : reference.kind === 'function'
          ? `^${reference.overloads
              .map(({ id }) => id)
              .sort()
              .join('|')}`
          : `^${reference.name}`;
    return `${type === undefined ? '' : `~${formatCelType(type)}`}${meaning}`;
  };
}
