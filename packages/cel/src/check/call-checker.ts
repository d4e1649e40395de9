import type { FunctionDeclaration, Overload } from '../library.ts';
import type { CallExpression } from '../syntax/expression.ts';
import {
  boolType,
  dynType,
  errorType,
  isDynamic,
  isSameType,
  type Type,
  typeText,
} from '../types.ts';
import { qualifiedName } from './checked-expression.ts';
import { NameChecker } from './name-checker.ts';
import { findFunction } from './scope.ts';
import { rebuild } from './substitution.ts';

/** Checks calls: finds the overloads that can take the arguments. */
export abstract class CallChecker extends NameChecker {
  protected call(expression: CallExpression): Type {
    if (expression.function === '_?._') {
      return this.optionalSelect(expression);
    }
    const values = expression.arguments;
    const argumentTypes = values.map((value) => this.check(value));
    if (expression.target === undefined) {
      const declaration = this.findFunction(expression.function);
      if (declaration === undefined) {
        this.undeclared(expression.position, expression.function);
        return errorType;
      }
      return this.resolve(expression, declaration, argumentTypes, false);
    }
    const prefix = qualifiedName(expression.target);
    const qualified = prefix && this.findFunction(`${prefix}.${expression.function}`);
    if (qualified) {
      return this.resolve(expression, qualified, argumentTypes, true);
    }
    const targetType = this.check(expression.target);
    const declaration = this.findFunction(expression.function);
    if (declaration === undefined) {
      this.undeclared(expression.position, expression.function);
      return errorType;
    }
    return this.resolve(expression, declaration, [targetType, ...argumentTypes], false);
  }

  private optionalSelect(expression: CallExpression): Type {
    const [operand, field] = expression.arguments;
    if (operand === undefined || field?.kind !== 'literal' || typeof field.value !== 'string') {
      this.report(
        expression.position,
        'unsupported optional field selection: incorrect signature.',
      );
      return errorType;
    }
    const result = this.field(expression.position, operand, field.value, true);
    return this.substitution.apply(result, false);
  }

  private findFunction(name: string): FunctionDeclaration | undefined {
    return findFunction(this.declarations, name);
  }

  private resolve(
    expression: CallExpression,
    declaration: FunctionDeclaration,
    argumentTypes: readonly Type[],
    qualified: boolean,
  ): Type {
    const member = expression.target !== undefined && !qualified;
    const overloads: Overload[] = [];
    let result: Type | undefined;
    for (const overload of declaration.overloads) {
      if (this.declarations.isDisabled(overload.id) || (overload.member ?? false) !== member) {
        continue;
      }
      if (declaration.name === '_&&_' || declaration.name === '_||_') {
        return this.logic(expression, declaration, overload, argumentTypes);
      }
      const instance = this.instantiate(overload);
      if (!this.substitution.assignAll(argumentTypes, instance.parameters)) {
        continue;
      }
      overloads.push(overload);
      const type = this.substitution.apply(instance.result, false);
      if (result === undefined) {
        result = type;
      } else if (!isDynamic(result) && !isSameType(type, result)) {
        result = dynType;
      }
    }
    if (result === undefined) {
      const types = argumentTypes.map((type) => typeText(this.substitution.apply(type, true)));
      const signature = member
        ? `${types[0]}.(${types.slice(1).join(', ')})`
        : `(${types.join(', ')})`;
      this.report(
        expression.position,
        `found no matching overload for '${declaration.name}' applied to '${signature}'`,
      );
      return errorType;
    }
    this.references[expression.id] = { kind: 'function', declaration, overloads, qualified };
    return result;
  }

  private logic(
    expression: CallExpression,
    declaration: FunctionDeclaration,
    overload: Overload,
    argumentTypes: readonly Type[],
  ): Type {
    let wrong = false;
    argumentTypes.forEach((type, index) => {
      if (!this.substitution.assign(type, boolType)) {
        this.mismatch(expression.arguments[index] ?? expression, boolType, type);
        wrong = true;
      }
    });
    if (wrong) {
      return errorType;
    }
    this.references[expression.id] = {
      kind: 'function',
      declaration,
      overloads: [overload],
      qualified: false,
    };
    return boolType;
  }

  /** The signature with a fresh variable for each of its type parameters. */
  private instantiate(overload: Overload): {
    readonly parameters: readonly Type[];
    readonly result: Type;
  } {
    const { parameters, result } = overload;
    if (!parameters.some(hasParameter) && !hasParameter(result)) {
      return { parameters, result };
    }
    const fresh = new Map<string, Type>();
    const replace = (type: Type): Type => {
      if (type.kind !== 'param') {
        return type.parameters.length === 0 ? type : rebuild(type, replace);
      }
      const known = fresh.get(type.name) ?? this.substitution.fresh();
      fresh.set(type.name, known);
      return known;
    };
    return { parameters: parameters.map(replace), result: replace(result) };
  }
}

function hasParameter(type: Type): boolean {
  return type.kind === 'param' || type.parameters.some(hasParameter);
}
