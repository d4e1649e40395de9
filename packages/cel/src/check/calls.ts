import { getOrMake } from '@kubeadmit/base';
import type { FunctionDeclaration, Overload } from '../declarations/function-declaration.ts';
import type { CallExpression } from '../syntax/expression.ts';
import {
  boolType,
  dynType,
  errorType,
  formatCelType,
  isDynamic,
  isSameType,
  type Type,
} from '../values/types.ts';
import type { Checking } from './checking.ts';
import { checkField } from './names.ts';
import { findFunction } from './scope.ts';
import { rebuild } from './substitution.ts';

/** The type of a call: of the overloads that can take the arguments. */
export function checkCall(checking: Checking, expression: CallExpression): Type {
  if (expression.function === '_?._') return checkOptionalSelect(checking, expression);
  const argumentTypes: Type[] = [];
  for (const value of expression.arguments) argumentTypes.push(checking.check(value));
  if (expression.target === undefined) {
    const declaration = findFunction(checking.declarations, expression.function);
    if (declaration === undefined) {
      checking.undeclared(expression.position, expression.function);
      return errorType;
    }
    return resolve(checking, expression, declaration, argumentTypes, false);
  }
  const prefix = checking.qualifiedName(expression.target);
  const qualified =
    prefix && findFunction(checking.declarations, `${prefix}.${expression.function}`);
  if (qualified) return resolve(checking, expression, qualified, argumentTypes, true);
  const targetType = checking.check(expression.target);
  const declaration = findFunction(checking.declarations, expression.function);
  if (declaration === undefined) {
    checking.undeclared(expression.position, expression.function);
    return errorType;
  }
  argumentTypes.unshift(targetType);
  return resolve(checking, expression, declaration, argumentTypes, false);
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
  const isLogic = declaration.name === '_&&_' || declaration.name === '_||_';
  const overloads: Overload[] = [];
  let result: Type | undefined;
  for (const { overload, variables } of formsOf(declaration)) {
    if (checking.declarations.isDisabled(overload.id) || (overload.member ?? false) !== member) {
      continue;
    }
    if (isLogic) return checkLogic(checking, expression, declaration, overload, argumentTypes);
    let { parameters, result: type } = overload;
    if (variables.length > 0) {
      ({ parameters, result: type } = instantiate(checking, overload, variables));
    }
    if (!checking.substitution.assignAll(argumentTypes, parameters)) continue;
    overloads.push(overload);
    type = checking.substitution.apply(type, false);
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
  { substitution }: Checking,
  { parameters, result }: Overload,
  variables: readonly string[],
): Pick<Overload, 'parameters' | 'result'> {
  const fresh = variables.map(() => substitution.fresh());
  const replace = (type: Type): Type => {
    if (type.kind === 'param') return fresh[variables.indexOf(type.name)] ?? type;
    return type.parameters.length === 0 ? type : rebuild(type, replace);
  };
  return { parameters: parameters.map(replace), result: replace(result) };
}

/** An overload with the names of its type parameters, in the order of their first places. */
interface Form {
  readonly overload: Overload;
  readonly variables: readonly string[];
}

const knownForms = new WeakMap<FunctionDeclaration, readonly Form[]>();

function formsOf(declaration: FunctionDeclaration): readonly Form[] {
  return getOrMake(knownForms, declaration, () =>
    declaration.overloads.map((overload) => {
      const names = [...overload.parameters, overload.result].flatMap(typeVariables);
      return { overload, variables: [...new Set(names)] };
    }),
  );
}

function typeVariables(type: Type): readonly string[] {
  return type.kind === 'param' ? [type.name] : type.parameters.flatMap(typeVariables);
}
