import { visitTree } from '../check/rules.ts';
import type { CheckedExpression } from '../declarations/checked-expression.ts';
import type { TreeRule } from '../declarations/library.ts';
import type { Expression } from '../syntax/expression.ts';
import { dynType, type Type, type TypeKind } from '../values/types.ts';
import { applyFormat } from './format-string.ts';
import { ArgumentProblem, FormatProblem, type FormatVerb, wrongTypeTexts } from './format-verbs.ts';

const accepted: Readonly<Record<FormatVerb, ReadonlySet<TypeKind>>> = {
  b: new Set(['int', 'uint', 'bool']),
  d: new Set(['int', 'uint']),
  // The strings `NaN`, `Infinity` and `-Infinity` count as doubles.
  e: new Set(['double', 'string']),
  f: new Set(['double', 'string']),
  o: new Set(['int', 'uint']),
  s: new Set([
    'bool',
    'bytes',
    'double',
    'duration',
    'int',
    'list',
    'map',
    'null',
    'string',
    'timestamp',
    'type',
    'uint',
  ]),
  x: new Set(['int', 'uint', 'string', 'bytes']),
  X: new Set(['int', 'uint', 'string', 'bytes']),
};

/** The differences of a `format` from that of Kubernetes (cel-go's `ext.Strings`, version 2). */
export interface FormatStyle {
  readonly accepted?: Readonly<Partial<Record<FormatVerb, ReadonlySet<TypeKind>>>>;
  /** Whether wrapper types are taken for the types that they wrap. */
  readonly takesWrappers?: boolean;
  readonly wrongTypeTexts?: Readonly<Record<FormatVerb, string>>;
  readonly maximalPrecision?: number;
}

/**
 * Reports problems of `"…".format([…])` if the format is a literal and the arguments are a
 * list literal (cel-go's `cel.validator.string_format`).
 */
export function makeFormatRule(style: FormatStyle = {}): TreeRule {
  return (checked, report) => {
    visitTree(checked, (node) => {
      if (node.kind !== 'call' || node.function !== 'format' || node.arguments.length !== 1) return;
      const { target } = node;
      const [list] = node.arguments;
      if (target?.kind !== 'literal' || typeof target.value !== 'string' || list?.kind !== 'list') {
        return;
      }
      const { elements } = list;
      const outcome = applyFormat(target.value, {
        size: elements.length,
        eager: false,
        maximalPrecision: style.maximalPrecision,
        format(index, { verb }) {
          const wrong = findWrong(checked, elements[index], verb, style);
          if (wrong === undefined) return '';
          const { name } = typeAt(checked, wrong);
          throw new ArgumentProblem((style.wrongTypeTexts ?? wrongTypeTexts)[verb] + name, wrong);
        },
      });
      if (outcome instanceof FormatProblem) {
        const at = outcome instanceof ArgumentProblem ? outcome.at : undefined;
        report(at ?? node, outcome.message);
      } else if (elements.length > outcome.clauses) {
        report(
          node,
          `too many arguments supplied to string.format (expected ${outcome.clauses}, got ${elements.length})`,
        );
      }
    });
  };
}

/** The rule for the `format` of Kubernetes. */
export const formatRule: TreeRule = makeFormatRule();

function typeAt(checked: CheckedExpression, expression: Expression): Type {
  return checked.types[expression.id] ?? dynType;
}

/** The first expression, elements of literals included, whose type the verb does not take. */
function findWrong(
  checked: CheckedExpression,
  expression: Expression | undefined,
  verb: FormatVerb,
  style: FormatStyle,
): Expression | undefined {
  if (expression === undefined) return undefined;
  const type = typeAt(checked, expression);
  const kinds = style.accepted?.[verb] ?? accepted[verb];
  const isWrapper = type.nullable && style.takesWrappers !== true;
  if (type.kind !== 'dyn' && (isWrapper || !kinds.has(type.kind))) return expression;
  const parts =
    verb !== 's'
      ? []
      : expression.kind === 'list'
        ? expression.elements
        : expression.kind === 'map'
          ? expression.entries.flatMap(({ key, value }) => [key, value])
          : [];
  for (const part of parts) {
    const wrong = findWrong(checked, part, verb, style);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}
