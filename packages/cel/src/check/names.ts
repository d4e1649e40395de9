import type { Expression, IdentifierExpression, SelectExpression } from '../syntax/expression.ts';
import {
  boolType,
  dynType,
  errorType,
  formatCelType,
  isDynamic,
  optionalOf,
  type Type,
} from '../values/types.ts';
import { type Checking, unwrapOptional } from './checking.ts';
import { findGlobal, findLocal } from './scope.ts';

/** The type of a name; reports one that is not declared. */
export function checkIdentifier(
  checking: Checking,
  { id, position, name }: IdentifierExpression,
): Type {
  const local = findLocal(checking.scope, name);
  if (local !== undefined && !name.startsWith('.')) {
    checking.references[id] = { kind: 'variable', name, root: false };
    return local;
  }
  // A rooted name is at the root also where a loop variable hides it.
  const hidden = name.startsWith('.') ? findLocal(checking.scope, name.slice(1)) : undefined;
  const found = findInContainer(checking, id, name, hidden !== undefined);
  if (found === undefined) {
    checking.undeclared(position, name);
    return errorType;
  }
  return found;
}

function findInContainer(
  checking: Checking,
  id: number,
  name: string,
  hidden: boolean,
): Type | undefined {
  const found = findGlobal(checking.declarations, name, hidden);
  checking.references[id] = found?.reference;
  return found?.type;
}

/** The type of `operand.field` or of `has(operand.field)`, unless it all is the name of something. */
export function checkSelect(checking: Checking, expression: SelectExpression): Type {
  const name = checking.qualifiedName(expression);
  if (name !== undefined) {
    const [first = ''] = name.split('.', 1);
    const rooted = name.startsWith('.');
    const hidden = findLocal(checking.scope, rooted ? (name.split('.', 2)[1] ?? '') : first);
    if (hidden === undefined || rooted) {
      const found = findInContainer(checking, expression.id, name, hidden !== undefined);
      if (found !== undefined) return found;
    }
  }
  const result = checkField(
    checking,
    expression.position,
    expression.operand,
    expression.field,
    false,
  );
  return expression.test ? boolType : checking.substitution.apply(result, false);
}

/** The type of `operand.field`, or of `operand.?field`. */
export function checkField(
  checking: Checking,
  position: number,
  operand: Expression,
  field: string,
  optional: boolean,
): Type {
  const operandType = checking.substitution.apply(checking.check(operand), false);
  const [target, isOptional] = unwrapOptional(operandType);
  const result = fieldOf(checking, position, target, field);
  return isOptional || optional ? optionalOf(result) : result;
}

function fieldOf(checking: Checking, position: number, target: Type, field: string): Type {
  switch (target.kind) {
    case 'map':
      return target.parameters[1] ?? dynType;
    case 'struct':
      return checking.lookUpField(position, target.name, field) ?? errorType;
    case 'param':
      checking.substitution.assign(dynType, target);
      return dynType;
    default:
      if (!isDynamic(target) && target.kind !== 'error') {
        checking.report(
          position,
          `type '${formatCelType(target)}' does not support field selection`,
        );
      }
      return dynType;
  }
}
