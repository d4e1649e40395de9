import {
  CelError,
  type StructProvider,
  Timestamp,
  type Type,
  Uint,
  type Value,
} from '@kubeadmit/cel';
import {
  boolType,
  bytesType,
  dynType,
  intType,
  listOf,
  mapOf,
  stringType,
  structType,
  timestampType,
  uintType,
} from '@kubeadmit/cel/types';
import { isEqual, isList, isMap, mapKeys, StructValue } from '@kubeadmit/cel/values';
import {
  envoyMessages,
  type FieldNotation,
  httpMessages,
  type MessageFields,
  tokenMessages,
} from './message-fields.ts';

const messages: MessageFields = { ...envoyMessages, ...httpMessages, ...tokenMessages };

/** The types of scalar fields, and their values where they are not set. */
const scalars: Readonly<Record<string, { readonly type: Type; readonly unset: Value }>> = {
  string: { type: stringType, unset: '' },
  int: { type: intType, unset: 0 },
  uint: { type: uintType, unset: new Uint(0n) },
  bool: { type: boolType, unset: false },
  bytes: { type: bytesType, unset: new Uint8Array(0) },
  timestamp: { type: timestampType, unset: new Timestamp(0, 0) },
  struct: { type: mapOf(stringType, dynType), unset: {} },
};

/** The fields of a message; undefined if there is no such message. */
export function fieldsOf(message: string): Readonly<Record<string, FieldNotation>> | undefined {
  return Object.hasOwn(messages, message) ? messages[message] : undefined;
}

/** Splits the notation of a field into its outermost collection, if any, and the rest. */
export function splitNotation(notation: FieldNotation): {
  readonly collection: 'list' | 'map' | undefined;
  readonly element: FieldNotation;
} {
  const [, collection, element] = /^(list|map) (.*)$/.exec(notation) ?? [];
  return { collection: collection as 'list' | 'map' | undefined, element: element ?? notation };
}

/** The types of messages. */
export function typesOfMessages(fields: MessageFields): readonly Type[] {
  return Object.keys(fields).map(structType);
}

function notationOf(message: string, field: string): FieldNotation | undefined {
  const fields = fieldsOf(message);
  return fields !== undefined && Object.hasOwn(fields, field) ? fields[field] : undefined;
}

function typeOf(notation: FieldNotation): Type {
  const { collection, element } = splitNotation(notation);
  if (collection === 'list') return listOf(typeOf(element));
  if (collection === 'map') return mapOf(stringType, typeOf(element));
  return scalars[notation]?.type ?? structType(notation);
}

/** The value of a field that is not set: empty, or a message without fields. */
function unsetValue(notation: FieldNotation): Value {
  const { collection } = splitNotation(notation);
  if (collection !== undefined) return collection === 'list' ? [] : {};
  return scalars[notation]?.unset ?? new Message(notation, new Map());
}

/** A message of protocol buffers, or a struct of Go that CEL handles like one. */
export class Message extends StructValue {
  /** The full name of its type. */
  readonly name: string;
  /** Whether it is a literal of protocol buffers in an expression, which kyverno-authz refuses as a response. */
  readonly isLiteral: boolean;
  readonly #fields: ReadonlyMap<string, Value>;

  /** @param fields the fields that are set. */
  constructor(name: string, fields: ReadonlyMap<string, Value>, isLiteral: boolean = false) {
    super();
    this.name = name;
    this.isLiteral = isLiteral;
    this.#fields = fields;
  }

  /** The type in CEL. */
  get type(): Type {
    return structType(this.name);
  }

  /** Returns a field, or its default if the field is not set; undefined for an unknown field. */
  get(field: string): Value | undefined {
    const value = this.#fields.get(field);
    if (value !== undefined) return value;
    const notation = notationOf(this.name, field);
    return notation === undefined ? undefined : unsetValue(notation);
  }

  /** Whether a field is set to anything but its default; messages only have to be set. */
  has(field: string): boolean {
    const value = this.#fields.get(field);
    if (value === undefined) return false;
    if (value instanceof Message) return true;
    if (isList(value)) return value.length > 0;
    if (isMap(value)) return mapKeys(value).length > 0;
    return !isEqual(value, unsetValue(notationOf(this.name, field) ?? 'string'));
  }

  /** The message with one field set to another value. */
  with(field: string, value: Value): Message {
    return new Message(this.name, new Map([...this.#fields, [field, value]]));
  }

  /** The message with a value added to one of its lists. */
  adding(field: string, value: Value): Message {
    const list = this.get(field);
    return this.with(field, [...(isList(list as Value) ? (list as readonly Value[]) : []), value]);
  }

  /** Whether another value is a message of the same type with equal fields. */
  equals(other: Value): boolean {
    if (!(other instanceof Message) || other.name !== this.name) return false;
    return Object.keys(fieldsOf(this.name) ?? {}).every(
      (field) =>
        this.has(field) === other.has(field) &&
        isEqual(this.get(field) as Value, other.get(field) as Value),
    );
  }
}

/** The types of messages for expressions: `envoy.service.auth.v3.CheckResponse{status: google.rpc.Status{code: 7}}`. */
export const messageTypes: StructProvider = {
  has: (name) => fieldsOf(name) !== undefined,
  fieldType: (name, field) => {
    const notation = notationOf(name, field);
    return notation === undefined ? undefined : typeOf(notation);
  },
  create: (name, fields) => {
    for (const field of fields.keys()) {
      if (notationOf(name, field) === undefined) return new CelError(`no such field '${field}'`);
    }
    const given = new Map([...fields].filter(([, value]) => value !== null));
    return new Message(name, given, Object.hasOwn(envoyMessages, name));
  },
};
