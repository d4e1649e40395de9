import { type JsonObject, member } from '@kubeadmit/apimachinery';
import { setKey } from '@kubeadmit/base';
import { parseJson } from '@kubeadmit/cel';
import { decodeUtf8Leniently, encodeBase64 } from '@kubeadmit/go';
import { writeObject } from '../decode/write.ts';
import type { Shape } from '../types/shape.ts';
import type { StructType, TypeStore } from '../types/type-store.ts';
import type { MessageTypes } from './encode.ts';
import type { Layout } from './layout.ts';
import { timeText } from './times.ts';
import { WireError, WireReader } from './wire-reader.ts';

/** Types for decoding in addition to those for encoding: the structs in the form that writes JSON. */
export interface DecodedTypes extends MessageTypes {
  readonly types: TypeStore;
}

/** The JSON form of a message, as the server writes the same object; unknown numbers are dropped. Throws {@link WireError}. */
export function decodeMessage(
  messages: DecodedTypes,
  type: StructType,
  bytes: Uint8Array,
): JsonObject {
  const decoder = new Decoder(messages);
  return writeObject(messages.types, type, decoder.struct(type, new WireReader(bytes), {}));
}

/** Deeper than any object is; Go's code has no limit but its stack. */
const maxDepth = 200;

class Decoder {
  readonly #messages: DecodedTypes;
  #depth = 0;

  constructor(messages: DecodedTypes) {
    this.#messages = messages;
  }

  struct(type: StructType, reader: WireReader, object: JsonObject): JsonObject {
    const layout = this.#messages.layouts.of(type);
    if (!layout) throw new TypeError(`no message is known for ${type.name}`);
    if (++this.#depth > maxDepth) throw new WireError('proto: exceeded the maximum depth');
    this.#slots(layout, reader, object);
    this.#depth--;
    return object;
  }

  #slots({ byNumber }: Layout, reader: WireReader, object: JsonObject): void {
    while (reader.next()) {
      const slot = byNumber.get(reader.number);
      if (!slot) reader.skip();
      else if (slot.inner) this.#slots(slot.inner, reader.message(), object);
      else this.#field(slot.field.name, slot.field.shape, reader, object);
    }
  }

  #field(name: string, shape: Shape, reader: WireReader, object: JsonObject): void {
    const before = member(object, name);
    if (shape.kind === 'list') {
      const list = (before ?? []) as unknown[];
      list.push(...this.#elements(shape.element as Shape, reader));
      object[name] = list;
    } else if (shape.kind === 'map') {
      const map = (before ?? {}) as JsonObject;
      this.#entry(shape.element as Shape, reader.message(), map);
      object[name] = map;
    } else {
      object[name] = this.#value(shape, reader, before);
    }
  }

  #elements(element: Shape, reader: WireReader): unknown[] {
    if (!reader.isSequence || (element.kind !== 'int32' && element.kind !== 'int64')) {
      return [this.#value(element, reader, undefined)];
    }
    return reader.packed();
  }

  #entry(element: Shape, reader: WireReader, map: JsonObject): void {
    let key = '';
    let value: unknown;
    while (reader.next()) {
      if (reader.number === 1) key = reader.text();
      else if (reader.number !== 2) reader.skip();
      else if (element.kind === 'list')
        value = this.#list(element.element as Shape, reader.message());
      else value = this.#value(element, reader, undefined);
    }
    setKey(map, key, value ?? emptyOf(element));
  }

  #list(element: Shape, reader: WireReader): unknown[] {
    const list: unknown[] = [];
    while (reader.next()) {
      if (reader.number === 1) list.push(...this.#elements(element, reader));
      else reader.skip();
    }
    return list;
  }

  #value(shape: Shape, reader: WireReader, before: unknown): unknown {
    switch (shape.kind) {
      case 'string':
        return reader.text();
      case 'bool':
        return Number(reader.integer()) !== 0;
      case 'int32':
        return Number(BigInt.asIntN(32, BigInt(reader.integer())));
      case 'int64':
        return reader.integer();
      case 'float64':
        return reader.double();
      case 'bytes':
        return encodeBase64(reader.bytes());
      case 'struct': {
        const type = this.#messages.struct(shape.struct as string);
        if (!type) throw new TypeError(`no fields are known of ${shape.struct}`);
        return this.struct(type, reader.message(), (before ?? {}) as JsonObject);
      }
      case 'time':
      case 'microtime':
        return time(shape.kind, reader.message());
      case 'quantity':
        return textOf(1, reader.message()) || '0';
      case 'intorstring':
        return numberOrText(reader.message());
      default:
        return this.#free(shape.free, reader.message());
    }
  }

  #free(free: string | undefined, reader: WireReader): unknown {
    if (free === 'schemaorbool' || free === 'schemaorarray' || free === 'schemaorstrings') {
      return this.#schemaOr(free, reader);
    }
    let raw = '';
    while (reader.next()) {
      if (reader.number === 1) raw = decodeUtf8Leniently(reader.bytes());
      else reader.skip();
    }
    if (raw === '') return null;
    try {
      return parseJson(raw);
    } catch {
      throw new WireError('a raw value is not JSON');
    }
  }

  #schemaOr(
    free: 'schemaorbool' | 'schemaorarray' | 'schemaorstrings',
    reader: WireReader,
  ): unknown {
    const type = this.#messages.struct('apiextensions.v1.JSONSchemaProps') as StructType;
    const list: unknown[] = [];
    let schema: JsonObject | undefined;
    let isAllowed = false;
    const schemaNumber = free === 'schemaorbool' ? 2 : 1;
    while (reader.next()) {
      if (reader.number === schemaNumber) schema = this.#schema(type, reader);
      else if (reader.number > 2) reader.skip();
      else if (free === 'schemaorbool') isAllowed = Number(reader.integer()) !== 0;
      else if (free === 'schemaorarray') list.push(this.#schema(type, reader));
      else list.push(reader.text());
    }
    if (schema) return schema;
    return free === 'schemaorbool' ? isAllowed : list;
  }

  #schema(type: StructType, reader: WireReader): JsonObject {
    return writeObject(this.#messages.types, type, this.struct(type, reader.message(), {}));
  }
}

/** Returns the value of a map's key whose entry is empty. */
function emptyOf({ kind }: Shape): unknown {
  if (kind === 'string' || kind === 'bytes') return '';
  if (kind === 'quantity') return '0';
  if (kind === 'bool') return false;
  if (kind === 'int32' || kind === 'int64') return 0;
  return kind === 'struct' ? {} : null;
}

function time(kind: 'time' | 'microtime', reader: WireReader): string | null {
  let seconds = 0;
  let nanos = 0;
  let isZero = true;
  while (reader.next()) {
    isZero = false;
    if (reader.number === 1) seconds = Number(reader.integer());
    else if (reader.number === 2) nanos = Number(reader.integer());
    else reader.skip();
  }
  return isZero ? null : timeText(seconds, nanos, kind);
}

function textOf(number: number, reader: WireReader): string {
  let text = '';
  while (reader.next()) {
    if (reader.number === number) text = reader.text();
    else reader.skip();
  }
  return text;
}

function numberOrText(reader: WireReader): string | number {
  let isText = false;
  let value = 0;
  let text = '';
  while (reader.next()) {
    if (reader.number === 1) isText = Number(reader.integer()) === 1;
    else if (reader.number === 2) value = Number(BigInt.asIntN(32, BigInt(reader.integer())));
    else if (reader.number === 3) text = reader.text();
    else reader.skip();
  }
  return isText ? text : value;
}
