import { qualifiedName, type Reference } from '../declarations/checked-expression.ts';
import type { Expression } from '../syntax/expression.ts';
import type { Issue } from '../syntax/issue.ts';
import type { Source } from '../syntax/source.ts';
import {
  dynType,
  formatCelType,
  isDynamic,
  isOptionalType,
  optionalOf,
  type Type,
} from '../values/types.ts';
import type { Declarations, Scope } from './scope.ts';
import { Substitution } from './substitution.ts';

/** Returns the type of a node and adds its findings to `checking`. */
export type TypeRule = (checking: Checking, expression: Expression) => Type;

/** One check in progress: the declarations, the findings so far, and their reports. */
export class Checking {
  readonly types: (Type | undefined)[] = [];
  readonly references: (Reference | undefined)[] = [];
  readonly issues: Issue[] = [];
  readonly substitution: Substitution = new Substitution();
  readonly declarations: Declarations;
  /** The loop variables at the place that is being checked. */
  scope: Scope | undefined;
  readonly #source: Source;
  readonly #rule: TypeRule;

  constructor(source: Source, declarations: Declarations, rule: TypeRule) {
    this.#source = source;
    this.declarations = declarations;
    this.#rule = rule;
  }

  /** Checks a node and all below it, and returns the node's type. */
  check(expression: Expression): Type {
    const type = this.#rule(this, expression);
    this.types[expression.id] = type;
    return type;
  }

  /** The dotted name that a chain of plain selections spells, where such a name may be declared. */
  qualifiedName(expression: Expression): string | undefined {
    let first = expression;
    while (first.kind === 'select' && !first.test) first = first.operand;
    if (first.kind !== 'identifier') return undefined;
    return this.declarations.mayQualify(first.name) ? qualifiedName(expression) : undefined;
  }

  /** The type of a field of an object type; reports where there is no such field. */
  lookUpField(position: number, struct: string, field: string): Type | undefined {
    if (!this.declarations.hasStruct(struct)) {
      this.report(position, `unexpected failed resolution of '${struct}'`);
      return undefined;
    }
    const found = this.declarations.fieldType(struct, field);
    if (found === undefined) this.report(position, `undefined field '${field}'`);
    return found;
  }

  /** The type within an optional entry of a list, a map or an object. */
  optionalEntry(expression: Expression, type: Type): Type {
    const [unwrapped, isOptional] = unwrapOptional(type);
    if (!isOptional && !isDynamic(unwrapped)) {
      this.mismatch(expression, optionalOf(unwrapped), unwrapped);
    }
    return unwrapped;
  }

  assert(expression: Expression, wanted: Type): void {
    const type = this.types[expression.id] ?? dynType;
    if (!this.substitution.assign(wanted, type)) this.mismatch(expression, wanted, type);
  }

  mismatch(expression: Expression, wanted: Type, given: Type): void {
    this.report(
      expression.position,
      `expected type '${formatCelType(wanted)}' but found '${formatCelType(given)}'`,
    );
  }

  undeclared(position: number, name: string): void {
    this.report(
      position,
      `undeclared reference to '${name}' (in container '${this.declarations.container}')`,
    );
  }

  report(position: number, message: string): void {
    this.issues.push(this.#source.issue('type', position, message));
  }
}

/** The type inside an optional type, or the type itself. */
export function unwrapOptional(type: Type): readonly [type: Type, isOptional: boolean] {
  return isOptionalType(type) ? [type.parameters[0] ?? dynType, true] : [type, false];
}
