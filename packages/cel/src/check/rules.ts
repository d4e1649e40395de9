import type { CheckedExpression } from '../declarations/checked-expression.ts';
import type { ReportIssue, TreeRule } from '../declarations/library.ts';
import { childrenOf, type Expression } from '../syntax/expression.ts';
import { dynType, formatCelType, isEquivalentType, type Type } from '../values/types.ts';
import type { Value } from '../values/value.ts';

// Rules for checked trees that go beyond types: cel-go's `ExtendedValidations`.

/** Calls `visit` for every node, children first, with the functions that the node is an argument of. */
export function visitTree(
  checked: CheckedExpression,
  visit: (expression: Expression, within: readonly string[]) => void,
): void {
  for (const { expression, within } of nodesOf(checked)) visit(expression, within);
}

interface Node {
  readonly expression: Expression;
  readonly within: readonly string[];
}

// An environment has many rules, each of which visits the whole tree, one after the other.
let latest: { readonly checked: CheckedExpression; readonly nodes: readonly Node[] } | undefined;

function nodesOf(checked: CheckedExpression): readonly Node[] {
  if (latest?.checked === checked) return latest.nodes;
  const nodes: Node[] = [];
  addNodes(checked, checked.expression, [], nodes);
  latest = { checked, nodes };
  return nodes;
}

function addNodes(
  checked: CheckedExpression,
  expression: Expression,
  within: readonly string[],
  nodes: Node[],
): void {
  const called = calledFunction(checked, expression);
  const inner = called === undefined ? within : [...within, called];
  for (const child of childrenOf(expression)) addNodes(checked, child, inner, nodes);
  nodes.push({ expression, within });
}

/** The name of the function that a call was resolved to: `matches` also for `.matches(a, b)`. */
function calledFunction(checked: CheckedExpression, { id }: Expression): string | undefined {
  const reference = checked.references[id];
  return reference?.kind === 'function' ? reference.declaration.name : undefined;
}

/** Reports calls of a function whose first argument is a literal that the test refuses. */
export function literalRule(name: string, isValid: (value: Value) => boolean): TreeRule {
  return (checked, report) => {
    visitTree(checked, (node) => {
      const isCall = node.kind === 'call' && calledFunction(checked, node) === name;
      const value = isCall ? node.arguments[0] : undefined;
      if (value?.kind === 'literal' && !isValid(value.value)) {
        report(value, `invalid ${name} argument`);
      }
    });
  };
}

/**
 * Reports lists whose elements, and maps whose keys or values, are not all of one type; those within
 * a call of one of the exempt functions may.
 */
export function homogeneousRule(exempt: readonly string[]): TreeRule {
  return (checked, report) => {
    visitTree(checked, (node, within) => {
      if (node.kind !== 'list' || within.some((name) => exempt.includes(name))) return;
      const elements = node.elements.map((element, index) => ({
        expression: element,
        optional: node.optional.includes(index),
      }));
      reportMixed(checked, elements, report, true);
    });
    visitTree(checked, (node, within) => {
      if (node.kind !== 'map' || within.some((name) => exempt.includes(name))) return;
      const keys = node.entries.map(({ key }) => ({ expression: key, optional: false }));
      const values = node.entries.map(({ value, optional }) => ({ expression: value, optional }));
      reportMixed(checked, keys, report, false);
      reportMixed(checked, values, report, false);
    });
  };
}

function reportMixed(
  checked: CheckedExpression,
  parts: readonly { readonly expression: Expression; readonly optional: boolean }[],
  report: ReportIssue,
  onlyFirst: boolean,
): void {
  let wanted: Type | undefined;
  for (const { expression, optional } of parts) {
    const found = checked.types[expression.id] ?? dynType;
    const type = optional ? found.parameters[0] : found;
    if (type === undefined) {
      // cel-go reads the parameter of a type that it assumes to be optional, and panics.
      report(expression, 'runtime error: index out of range [0] with length 0', 'internal');
      return;
    }
    wanted ??= type;
    if (!isEquivalentType(wanted, type)) {
      report(
        expression,
        `expected type '${formatCelType(wanted)}' but found '${formatCelType(type)}'`,
      );
      if (onlyFirst) return;
    }
  }
}
