import type { FunctionDeclaration, Overload } from '../function-declaration.ts';
import type { CallExpression } from '../syntax/expression.ts';
import {
  boolType,
  dynType,
  errorType,
  formatCelType,
  isDynamic,
  isSameType,
  type Type,
} from '../types.ts';
import { qualifiedName } from './checked-expression.ts';
import type { Checking } from './checking.ts';
import { checkField } from './names.ts';
import { findFunction } from './scope.ts';
import { rebuild } from './substitution.ts';

/** The type of a call: of the overloads that can take the arguments. */
export function checkCall(checking: Checking, expression: CallExpression): Type {
  if (expression.function === '_?._') return checkOptionalSelect(checking, expression);
  const values = expression.arguments;
  const argumentTypes = values.map((value) => checking.check(value));
  if (expression.target === undefined) {
    const declaration = findFunction(checking.declarations, expression.function);
    if (declaration === undefined) {
      checking.undeclared(expression.position, expression.function);
      return errorType;
    }
    return resolve(checking, expression, declaration, argumentTypes, false);
  }
  const prefix = qualifiedName(expression.target);
  const qualified =
    prefix && findFunction(checking.declarations, `${prefix}.${expression.function}`);
  if (qualified) return resolve(checking, expression, qualified, argumentTypes, true);
  const targetType = checking.check(expression.target);
  const declaration = findFunction(checking.declarations, expression.function);
  if (declaration === undefined) {
    checking.undeclared(expression.position, expression.function);
    return errorType;
  }
  return resolve(checking, expression, declaration, [targetType, ...argumentTypes], false);
}

function checkOptionalSelect(checking: Checking, expression: CallExpression): Type {
  const [operand, field] = expression.arguments;
  if (operand === undefined || field?.kind !== 'literal' || typeof field.value !== 'string') {
    checking.report(
      expression.position,
      'unsupported optional field selection: incorrect signature.',
    );
    return errorType;
  }
  const result = checkField(checking, expression.position, operand, field.value, true);
  return checking.substitution.apply(result, false);
}

function resolve(
  checking: Checking,
  expression: CallExpression,
  declaration: FunctionDeclaration,
  argumentTypes: readonly Type[],
  qualified: boolean,
): Type {
  const member = expression.target !== undefined && !qualified;
  const overloads: Overload[] = [];
  let result: Type | undefined;
  for (const overload of declaration.overloads) {
    if (checking.declarations.isDisabled(overload.id) || (overload.member ?? false) !== member) {
      continue;
    }
    if (declaration.name === '_&&_' || declaration.name === '_||_') {
      return checkLogic(checking, expression, declaration, overload, argumentTypes);
    }
    const instance = instantiate(checking, overload);
    if (!checking.substitution.assignAll(argumentTypes, instance.parameters)) continue;
    overloads.push(overload);
    const type = checking.substitution.apply(instance.result, false);
    if (result === undefined) {
      result = type;
    } else if (!isDynamic(result) && !isSameType(type, result)) {
      result = dynType;
    }
  }
  if (result === undefined) {
    const types = argumentTypes.map((type) =>
      formatCelType(checking.substitution.apply(type, true)),
    );
    const signature = member
      ? `${types[0]}.(${types.slice(1).join(', ')})`
      : `(${types.join(', ')})`;
    checking.report(
      expression.position,
      `found no matching overload for '${declaration.name}' applied to '${signature}'`,
    );
    return errorType;
  }
  checking.references[expression.id] = { kind: 'function', declaration, overloads, qualified };
  return result;
}

function checkLogic(
  checking: Checking,
  expression: CallExpression,
  declaration: FunctionDeclaration,
  overload: Overload,
  argumentTypes: readonly Type[],
): Type {
  let wrong = false;
  argumentTypes.forEach((type, index) => {
    if (!checking.substitution.assign(type, boolType)) {
      checking.mismatch(expression.arguments[index] ?? expression, boolType, type);
      wrong = true;
    }
  });
  if (wrong) return errorType;
  checking.references[expression.id] = {
    kind: 'function',
    declaration,
    overloads: [overload],
    qualified: false,
  };
  return boolType;
}

/** The signature with a fresh variable for each of its type parameters. */
function instantiate(
  checking: Checking,
  overload: Overload,
): {
  readonly parameters: readonly Type[];
  readonly result: Type;
} {
  const { parameters, result } = overload;
  if (!parameters.some(hasParameter) && !hasParameter(result)) return { parameters, result };
  const fresh = new Map<string, Type>();
  const replace = (type: Type): Type => {
    if (type.kind !== 'param') return type.parameters.length === 0 ? type : rebuild(type, replace);
    const known = fresh.get(type.name) ?? checking.substitution.fresh();
    fresh.set(type.name, known);
    return known;
  };
  return { parameters: parameters.map(replace), result: replace(result) };
}

function hasParameter(type: Type): boolean {
  return type.kind === 'param' || type.parameters.some(hasParameter);
}
