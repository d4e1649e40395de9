import type { ListExpression, MapExpression, StructExpression } from '../syntax/expression.ts';
import {
  dynType,
  errorType,
  listOf,
  mapOf,
  stringType,
  structType,
  type Type,
  typeText,
} from '../types.ts';
import { CallChecker } from './call-checker.ts';
import { candidateNames } from './scope.ts';
import { mostGeneral } from './substitution.ts';

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

/** Checks lists, maps and objects written out. */
export abstract class LiteralChecker extends CallChecker {
  protected list(expression: ListExpression): Type {
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

  protected map(expression: MapExpression): Type {
    let key: Type | undefined;
    let value: Type | undefined;
    for (const entry of expression.entries) {
      key = this.join(key, this.check(entry.key));
      const type = this.check(entry.value);
      value = this.join(value, entry.optional ? this.optionalEntry(entry.value, type) : type);
    }
    return mapOf(key ?? this.substitution.fresh(), value ?? this.substitution.fresh());
  }

  private join(previous: Type | undefined, current: Type): Type {
    if (previous === undefined) {
      return current;
    }
    return this.substitution.assign(previous, current) ? mostGeneral(previous, current) : dynType;
  }

  protected struct(expression: StructExpression): Type {
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
