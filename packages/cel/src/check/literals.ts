import type { ListExpression, MapExpression, StructExpression } from '../syntax/expression.ts';
import {
  dynType,
  errorType,
  formatCelType,
  listOf,
  mapOf,
  stringType,
  structType,
  type Type,
} from '../values/types.ts';
import type { Checking } from './checking.ts';
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

/** The type of a list literal: a list of the common type of its elements. */
export function checkList(checking: Checking, expression: ListExpression): Type {
  let joined: Type | undefined;
  expression.elements.forEach((element, index) => {
    let type = checking.check(element);
    if (expression.optional.includes(index)) type = checking.optionalEntry(element, type);
    joined = join(checking, joined, type);
  });
  return listOf(joined ?? checking.substitution.fresh());
}

/** The type of a map literal: a map of the common types of its keys and values. */
export function checkMap(checking: Checking, expression: MapExpression): Type {
  let key: Type | undefined;
  let value: Type | undefined;
  for (const entry of expression.entries) {
    key = join(checking, key, checking.check(entry.key));
    const type = checking.check(entry.value);
    value = join(
      checking,
      value,
      entry.optional ? checking.optionalEntry(entry.value, type) : type,
    );
  }
  return mapOf(key ?? checking.substitution.fresh(), value ?? checking.substitution.fresh());
}

function join(checking: Checking, previous: Type | undefined, current: Type): Type {
  if (previous === undefined) return current;
  return checking.substitution.assign(previous, current) ? mostGeneral(previous, current) : dynType;
}

/** The type of an object literal; its fields have to be of their declared types. */
export function checkStruct(checking: Checking, expression: StructExpression): Type {
  const found = structNamed(checking, expression);
  if (found === undefined) return errorType;
  checking.references[expression.id] = { kind: 'struct', name: found.name };
  const { fieldsOf } = found;
  for (const field of expression.fields) {
    const valueType = checking.check(field.value);
    const wanted = checking.lookUpField(field.position, fieldsOf, field.name) ?? errorType;
    const given = field.optional ? checking.optionalEntry(field.value, valueType) : valueType;
    if (!checking.substitution.assign(wanted, given)) {
      checking.report(
        field.position,
        `expected type of field '${field.name}' is '${formatCelType(wanted)}' but provided type is '${formatCelType(given)}'`,
      );
    }
  }
  return found.type;
}

/** The type that a literal's name means, and the name under which its fields are declared. */
function structNamed(
  checking: Checking,
  expression: StructExpression,
): { readonly name: string; readonly fieldsOf: string; readonly type: Type } | undefined {
  for (const name of candidateNames(checking.declarations.container, expression.name)) {
    const named = checking.declarations.namedType(name);
    if (named !== undefined) {
      const fieldsOf = isWellKnown(named) ? wellKnownNames[named.kind] : undefined;
      if (fieldsOf !== undefined) return { name, fieldsOf, type: named };
      if (named.kind === 'struct') return { name, fieldsOf: named.name, type: named };
      checking.report(expression.position, `'${named.name}' is not a message type`);
      return { name, fieldsOf: name, type: errorType };
    }
    if (checking.declarations.hasStruct(name)) {
      return { name, fieldsOf: name, type: structType(name) };
    }
  }
  checking.undeclared(expression.position, expression.name);
  return undefined;
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
