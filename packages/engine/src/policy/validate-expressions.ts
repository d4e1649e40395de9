import type { FieldError } from '@kubeadmit/apimachinery';
import {
  duplicate,
  internalError,
  invalid,
  required,
  tooMany,
} from '@kubeadmit/apimachinery/field-errors';
import { qualifiedNameProblems } from '@kubeadmit/apimachinery/names';
import { isReservedWord } from '@kubeadmit/cel/syntax';
import { trimSpace } from '@kubeadmit/go';
import type {
  ExpressionChecker,
  ExpressionEnvironment,
  ExpressionProblem,
  ExpressionResult,
  ExpressionScope,
} from './expression.ts';
import type { NamedExpression } from './model.ts';

const matchConditionsLimit = 64;

/** How expressions of one role are checked. */
export interface ExpressionRole {
  readonly checker: ExpressionChecker;
  readonly scope: ExpressionScope;
  /** Texts that the stored object has in the same role. */
  readonly stored: ReadonlySet<string>;
}

/** An expression of a policy to validate. */
export interface ExpressionToCheck {
  /** The text that is compiled. */
  readonly text: string;
  readonly result: ExpressionResult;
  /** The text that is looked for among the stored ones; default the compiled one. */
  readonly given?: string;
  /** The text that a finding shows; default the compiled one. */
  readonly shown?: string;
}

/** Validates a non-empty expression at a path, as kube-apiserver does. */
export function validateExpression(
  at: string,
  { text, result, given = text, shown = text }: ExpressionToCheck,
  role: ExpressionRole,
): FieldError[] {
  const { checker, scope } = role;
  const environment = environmentOf(role, given);
  return expressionError(
    at,
    shown,
    checker.check({ expression: text, scope, result, environment }),
  );
}

// Texts that are stored already keep all libraries.
function environmentOf(role: ExpressionRole, text: string): ExpressionEnvironment {
  return role.stored.has(text) ? 'stored' : 'new';
}

function expressionError(
  field: string,
  value: string,
  problem: ExpressionProblem | undefined,
): FieldError[] {
  if (problem === undefined) return [];
  if (problem.type === 'internal') return [internalError(field, problem.detail)];
  return [invalid(field, value, problem.detail)];
}

/** Validates the match conditions of a policy or webhook, as kube-apiserver does. */
export function validateMatchConditions(
  conditions: readonly NamedExpression[],
  role: ExpressionRole,
  path: string = 'spec.matchConditions',
): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  if (conditions.length > matchConditionsLimit) {
    errors.push(tooMany(path, conditions.length, matchConditionsLimit));
  }
  for (const [i, { name = '', expression = '' }] of conditions.entries()) {
    const at = `${path}[${i}]`;
    const text = trimSpace(expression);
    if (text === '') {
      errors.push(required(`${at}.expression`));
    } else {
      errors.push(...validateExpression(`${at}.expression`, { text, result: 'bool' }, role));
    }
    if (name === '') {
      errors.push(required(`${at}.name`));
      continue;
    }
    for (const text of qualifiedNameProblems(name)) errors.push(invalid(`${at}.name`, name, text));
    if (names.has(name)) errors.push(duplicate(`${at}.name`, name));
    names.add(name);
  }
  return errors;
}

/** Validates `spec.variables` as kube-apiserver does; each variable is defined for those after it. */
export function validateVariables(
  variables: readonly NamedExpression[],
  role: ExpressionRole,
): FieldError[] {
  const errors: FieldError[] = [];
  for (const [i, { name = '', expression = '' }] of variables.entries()) {
    const at = `spec.variables[${i}]`;
    if (trimSpace(name) === '') {
      errors.push(required(`${at}.name`, 'name is not specified'));
    } else if (!isIdentifier(name)) {
      errors.push(invalid(`${at}.name`, name, 'must be a valid CEL identifier'));
    }
    if (trimSpace(expression) === '') {
      errors.push(required(`${at}.expression`, 'expression is not specified'));
      continue;
    }
    const problem = role.checker.define(name, {
      expression,
      scope: role.scope,
      result: 'any',
      environment: environmentOf(role, expression),
    });
    errors.push(...expressionError(`${at}.expression`, expression, problem));
  }
  return errors;
}

function isIdentifier(name: string): boolean {
  return /^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) && !isReservedWord(name);
}
