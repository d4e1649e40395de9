import type { Expression, SelectExpression } from '../syntax/expression.ts';
import {
  boolType,
  dynType,
  errorType,
  isDynamic,
  optionalOf,
  type Type,
  typeText,
} from '../types.ts';
import { qualifiedName } from './checked-expression.ts';
import { NodeChecker, unwrapOptional } from './node-checker.ts';
import { findGlobal } from './scope.ts';

/** Checks names and selections. */
export abstract class NameChecker extends NodeChecker {
  protected identifier(id: number, position: number, name: string): Type {
    const local = this.scope?.find(name);
    if (local !== undefined && !name.startsWith('.')) {
      this.references[id] = { kind: 'variable', name, root: false };
      return local;
    }
    // A rooted name is at the root also where a loop variable hides it.
    const hidden = name.startsWith('.') ? this.scope?.find(name.slice(1)) : undefined;
    const found = this.global(id, name, hidden !== undefined);
    if (found === undefined) {
      this.undeclared(position, name);
      return errorType;
    }
    return found;
  }

  private global(id: number, name: string, hidden: boolean): Type | undefined {
    const found = findGlobal(this.declarations, name, hidden);
    this.references[id] = found?.reference;
    return found?.type;
  }

  protected select(expression: SelectExpression): Type {
    const name = qualifiedName(expression);
    if (name !== undefined) {
      const [first = ''] = name.split('.', 1);
      const rooted = name.startsWith('.');
      const hidden = this.scope?.find(rooted ? (name.split('.', 2)[1] ?? '') : first);
      if (hidden === undefined || rooted) {
        const found = this.global(expression.id, name, hidden !== undefined);
        if (found !== undefined) {
          return found;
        }
      }
    }
    const result = this.field(expression.position, expression.operand, expression.field, false);
    return expression.test ? boolType : this.substitution.apply(result, false);
  }

  /** The type of `operand.field`, or of `operand.?field`. */
  protected field(position: number, operand: Expression, field: string, optional: boolean): Type {
    const operandType = this.substitution.apply(this.check(operand), false);
    const [target, isOptional] = unwrapOptional(operandType);
    const result = this.fieldOf(position, target, field);
    return isOptional || optional ? optionalOf(result) : result;
  }

  private fieldOf(position: number, target: Type, field: string): Type {
    switch (target.kind) {
      case 'map':
        return target.parameters[1] ?? dynType;
      case 'struct':
      case 'opaque':
        return this.structField(position, target, field);
      case 'param':
        this.substitution.assign(dynType, target);
        return dynType;
      default:
        if (!isDynamic(target) && target.kind !== 'error') {
          this.report(position, `type '${typeText(target)}' does not support field selection`);
        }
        return dynType;
    }
  }

  private structField(position: number, target: Type, field: string): Type {
    if (target.kind === 'opaque') {
      this.report(position, `type '${typeText(target)}' does not support field selection`);
      return dynType;
    }
    return this.lookUpField(position, target.name, field) ?? errorType;
  }
}
