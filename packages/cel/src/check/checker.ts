import type { FunctionDeclaration, Overload } from '../library.ts';
import type {
  CallExpression,
  ComprehensionExpression,
  Expression,
  ListExpression,
  MapExpression,
  SelectExpression,
  StructExpression,
} from '../syntax/expression.ts';
import type { Issue } from '../syntax/issue.ts';
import type { Source } from '../syntax/source.ts';
import {
  boolType,
  dynType,
  errorType,
  intType,
  isDynamic,
  isOptionalType,
  isSameType,
  listOf,
  mapOf,
  optionalOf,
  stringType,
  structType,
  type Type,
  typeText,
} from '../types.ts';
import { typeOf } from '../values/kind.ts';
import type { Value } from '../values/value.ts';
import { candidateNames, type Declarations, findFunction, findGlobal, Scope } from './scope.ts';
import { mostGeneral, rebuild, Substitution } from './substitution.ts';

/** What a name or call was found to mean. */
export type Reference =
  | {
      readonly kind: 'variable';
      readonly name: string;
      /** Whether a loop variable of the same name hides it, so that it has to be looked up at the root. */
      readonly root: boolean;
    }
  | { readonly kind: 'constant'; readonly name: string; readonly value: Value }
  | { readonly kind: 'type'; readonly name: string }
  | {
      readonly kind: 'function';
      readonly declaration: FunctionDeclaration;
      /** The overloads that can take the arguments, in the order of declaration. */
      readonly overloads: readonly Overload[];
      /** Whether the receiver as written is part of the function's name. */
      readonly qualified: boolean;
    }
  | { readonly kind: 'struct'; readonly name: string };

/** A tree with the type of each node and the meaning of each name, both by the node's id. */
export interface CheckedExpression {
  readonly source: Source;
  readonly expression: Expression;
  readonly types: readonly (Type | undefined)[];
  readonly references: readonly (Reference | undefined)[];
}

/** What {@link check} found. */
export interface CheckResult extends CheckedExpression {
  readonly issues: readonly Issue[];
}

/** Finds the types of a tree; its issues have cel-go's texts and order. Never throws. */
export function check(
  source: Source,
  expression: Expression,
  declarations: Declarations,
): CheckResult {
  const checker = new Checker(source, declarations);
  checker.check(expression);
  return {
    source,
    expression,
    types: checker.types.map((type) => type && checker.substitution.apply(type, true)),
    references: checker.references,
    issues: checker.issues,
  };
}

// The well-known messages that take the place of a type, and the type they are.
const wellKnownNames: Readonly<Partial<Record<Type['kind'], string>>> = {
  any: 'google.protobuf.Any',
  bool: 'google.protobuf.BoolValue',
  bytes: 'google.protobuf.BytesValue',
  double: 'google.protobuf.DoubleValue',
  duration: 'google.protobuf.Duration',
  dyn: 'google.protobuf.Value',
  int: 'google.protobuf.Int64Value',
  list: 'google.protobuf.ListValue',
  null: 'google.protobuf.NullValue',
  map: 'google.protobuf.Struct',
  string: 'google.protobuf.StringValue',
  timestamp: 'google.protobuf.Timestamp',
  uint: 'google.protobuf.UInt64Value',
};

class Checker {
  readonly types: (Type | undefined)[] = [];
  readonly references: (Reference | undefined)[] = [];
  readonly issues: Issue[] = [];
  readonly substitution: Substitution = new Substitution();
  private readonly source: Source;
  private readonly declarations: Declarations;
  private scope: Scope | undefined;

  constructor(source: Source, declarations: Declarations) {
    this.source = source;
    this.declarations = declarations;
  }

  /** Checks a node and all below it, and gives the node's type. */
  check(expression: Expression): Type {
    const type = this.typeOf(expression);
    this.types[expression.id] = type;
    return type;
  }

  private typeOf(expression: Expression): Type {
    switch (expression.kind) {
      case 'literal':
        return typeOf(expression.value);
      case 'identifier':
        return this.identifier(expression.id, expression.position, expression.name);
      case 'select':
        return this.select(expression);
      case 'call':
        return this.call(expression);
      case 'list':
        return this.list(expression);
      case 'map':
        return this.map(expression);
      case 'struct':
        return this.struct(expression);
      case 'comprehension':
        return this.comprehension(expression);
      default:
        return expression satisfies never;
    }
  }

  private identifier(id: number, position: number, name: string): Type {
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

  private select(expression: SelectExpression): Type {
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

  private field(position: number, operand: Expression, field: string, optional: boolean): Type {
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

  private lookUpField(position: number, struct: string, field: string): Type | undefined {
    if (!this.declarations.hasStruct(struct)) {
      this.report(position, `unexpected failed resolution of '${struct}'`);
      return undefined;
    }
    const found = this.declarations.fieldType(struct, field);
    if (found === undefined) {
      this.report(position, `undefined field '${field}'`);
    }
    return found;
  }

  private call(expression: CallExpression): Type {
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
    const fresh = new Map<string, Type>();
    const replace = (type: Type): Type => {
      if (type.kind !== 'param') {
        return type.parameters.length === 0 ? type : rebuild(type, replace);
      }
      const known = fresh.get(type.name) ?? this.substitution.fresh();
      fresh.set(type.name, known);
      return known;
    };
    return { parameters: overload.parameters.map(replace), result: replace(overload.result) };
  }

  private list(expression: ListExpression): Type {
    let joined: Type | undefined;
    expression.elements.forEach((element, index) => {
      let type = this.check(element);
      if (expression.optional.includes(index)) {
        type = this.optionalEntry(element, type);
      }
      joined = this.join(joined, type);
    });
    return listOf(joined ?? this.substitution.fresh());
  }

  private map(expression: MapExpression): Type {
    let key: Type | undefined;
    let value: Type | undefined;
    for (const entry of expression.entries) {
      key = this.join(key, this.check(entry.key));
      const type = this.check(entry.value);
      value = this.join(value, entry.optional ? this.optionalEntry(entry.value, type) : type);
    }
    return mapOf(key ?? this.substitution.fresh(), value ?? this.substitution.fresh());
  }

  private optionalEntry(expression: Expression, type: Type): Type {
    const [unwrapped, isOptional] = unwrapOptional(type);
    if (!isOptional && !isDynamic(unwrapped)) {
      this.mismatch(expression, optionalOf(unwrapped), unwrapped);
    }
    return unwrapped;
  }

  private join(previous: Type | undefined, current: Type): Type {
    if (previous === undefined) {
      return current;
    }
    return this.substitution.assign(previous, current) ? mostGeneral(previous, current) : dynType;
  }

  private struct(expression: StructExpression): Type {
    const found = this.structNamed(expression);
    if (found === undefined) {
      return errorType;
    }
    this.references[expression.id] = { kind: 'struct', name: found.name };
    const { fieldsOf } = found;
    for (const field of expression.fields) {
      const valueType = this.check(field.value);
      const wanted = this.lookUpField(field.position, fieldsOf, field.name) ?? errorType;
      const given = field.optional ? this.optionalEntry(field.value, valueType) : valueType;
      if (!this.substitution.assign(wanted, given)) {
        this.report(
          field.position,
          `expected type of field '${field.name}' is '${typeText(wanted)}' but provided type is '${typeText(given)}'`,
        );
      }
    }
    return found.type;
  }

  /** The type that a literal's name means, and the name under which its fields are declared. */
  private structNamed(
    expression: StructExpression,
  ): { readonly name: string; readonly fieldsOf: string; readonly type: Type } | undefined {
    for (const name of candidateNames(this.declarations.container, expression.name)) {
      const named = this.declarations.namedType(name);
      if (named !== undefined) {
        const fieldsOf = isWellKnown(named) ? wellKnownNames[named.kind] : undefined;
        if (fieldsOf !== undefined) {
          return { name, fieldsOf, type: named };
        }
        if (named.kind === 'struct') {
          return { name, fieldsOf: named.name, type: named };
        }
        this.report(expression.position, `'${named.name}' is not a message type`);
        return { name, fieldsOf: name, type: errorType };
      }
      if (this.declarations.hasStruct(name)) {
        return { name, fieldsOf: name, type: structType(name) };
      }
    }
    this.undeclared(expression.position, expression.name);
    return undefined;
  }

  private comprehension(expression: ComprehensionExpression): Type {
    this.check(expression.range);
    const accumulator = this.check(expression.initial);
    const rangeType = this.substitution.apply(this.types[expression.range.id] ?? dynType, false);
    const outer = this.scope;
    this.scope = new Scope(outer, [[expression.accumulator, accumulator]]);
    const withAccumulator = this.scope;
    this.scope = new Scope(withAccumulator, this.loopVariables(expression, rangeType));
    this.check(expression.condition);
    this.assert(expression.condition, boolType);
    this.check(expression.step);
    this.assert(expression.step, accumulator);
    this.scope = withAccumulator;
    const result = this.check(expression.result);
    this.scope = outer;
    return this.substitution.apply(result, false);
  }

  private loopVariables(
    expression: ComprehensionExpression,
    rangeType: Type,
  ): readonly (readonly [string, Type])[] {
    const two = expression.secondVariable;
    const [first = dynType, second = dynType] = rangeType.parameters;
    const declare = (one: Type, other: Type): readonly (readonly [string, Type])[] =>
      two === undefined
        ? [[expression.variable, one]]
        : [
            [expression.variable, one],
            [two, other],
          ];
    switch (rangeType.kind) {
      case 'list':
        return two === undefined ? declare(first, first) : declare(intType, first);
      case 'map':
        return declare(first, second);
      case 'dyn':
      case 'error':
      case 'param':
        this.substitution.assign(dynType, rangeType);
        return declare(dynType, dynType);
      default:
        this.report(
          expression.range.position,
          `expression of type '${typeText(rangeType)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
        );
        return declare(errorType, errorType);
    }
  }

  private assert(expression: Expression, wanted: Type): void {
    const type = this.types[expression.id] ?? dynType;
    if (!this.substitution.assign(wanted, type)) {
      this.mismatch(expression, wanted, type);
    }
  }

  private mismatch(expression: Expression, wanted: Type, given: Type): void {
    this.report(
      expression.position,
      `expected type '${typeText(wanted)}' but found '${typeText(given)}'`,
    );
  }

  private undeclared(position: number, name: string): void {
    this.report(
      position,
      `undeclared reference to '${name}' (in container '${this.declarations.container}')`,
    );
  }

  private report(position: number, message: string): void {
    this.issues.push(this.source.issue('type', position, message));
  }
}

/** The dotted name that a chain of plain selections spells; `undefined` for anything else. */
export function qualifiedName(expression: Expression): string | undefined {
  if (expression.kind === 'identifier') {
    return expression.name;
  }
  if (expression.kind !== 'select' || expression.test) {
    return undefined;
  }
  const prefix = qualifiedName(expression.operand);
  return prefix === undefined ? undefined : `${prefix}.${expression.field}`;
}

function unwrapOptional(type: Type): readonly [type: Type, isOptional: boolean] {
  return isOptionalType(type) ? [type.parameters[0] ?? dynType, true] : [type, false];
}

function isWellKnown(type: Type): boolean {
  switch (type.kind) {
    case 'any':
    case 'timestamp':
    case 'duration':
    case 'dyn':
    case 'null':
      return true;
    case 'list':
      return type.parameters[0] === dynType;
    case 'map':
      return type.parameters[0] === stringType && type.parameters[1] === dynType;
    default:
      return type.nullable;
  }
}
