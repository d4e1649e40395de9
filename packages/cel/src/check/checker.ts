import type { CheckResult } from '../declarations/checked-expression.ts';
import type { Expression } from '../syntax/expression.ts';
import type { Source } from '../syntax/source.ts';
import { typeOf } from '../values/kind.ts';
import type { Type } from '../values/types.ts';
import { checkCall } from './calls.ts';
import { Checking } from './checking.ts';
import { checkList, checkMap, checkStruct } from './literals.ts';
import { checkComprehension } from './loops.ts';
import { checkIdentifier, checkSelect } from './names.ts';
import type { Declarations } from './scope.ts';

/** Finds the types of a tree; its issues have cel-go's texts and order. Never throws. */
export function check(
  source: Source,
  expression: Expression,
  declarations: Declarations,
): CheckResult {
  const checking = new Checking(source, declarations, checkNode);
  checking.check(expression);
  const { types, substitution } = checking;
  for (let id = 0; id < types.length; id++) {
    const type = types[id];
    if (type !== undefined) types[id] = substitution.apply(type, true);
  }
  return {
    source,
    expression,
    types,
    references: checking.references,
    issues: checking.issues,
  };
}

function checkNode(checking: Checking, expression: Expression): Type {
  switch (expression.kind) {
    case 'literal':
      return typeOf(expression.value);
    case 'identifier':
      return checkIdentifier(checking, expression);
    case 'select':
      return checkSelect(checking, expression);
    case 'call':
      return checkCall(checking, expression);
    case 'list':
      return checkList(checking, expression);
    case 'map':
      return checkMap(checking, expression);
    case 'struct':
      return checkStruct(checking, expression);
    case 'comprehension':
      return checkComprehension(checking, expression);
    default:
      return expression satisfies never;
  }
}
