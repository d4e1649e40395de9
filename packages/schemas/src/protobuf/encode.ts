import { isObject, type JsonObject, member, textOf } from '@kubeadmit/apimachinery';
import { parseQuantity } from '@kubeadmit/apimachinery/quantity';
import { compareText, decodeBase64, encodeUtf8, stringifyJson } from '@kubeadmit/go';
import { asRead, wrappedNumber } from '../decode/wrapped-number.ts';
import { parseShape, type Shape } from '../types/shape.ts';
import type { StructType } from '../types/type-store.ts';
import type { Layout, Layouts } from './layout.ts';
import { secondsAndNanos } from './times.ts';
import { WireWriter } from './wire-writer.ts';

/** Where messages get their structs and their numbers from. */
export interface MessageTypes {
  readonly struct: (name: string) => StructType | undefined;
  readonly layouts: Layouts;
}

/**
 * Encodes an object as Kubernetes' generated code does: fields by number, non-pointer fields even if they are
 * empty, maps sorted.
 */
export function encodeMessage(
  messages: MessageTypes,
  type: StructType,
  object: JsonObject,
): Uint8Array {
  const encoder = new Encoder(messages);
  encoder.struct(type, object);
  return encoder.writer.finish();
}

const nothing: JsonObject = {};

class Encoder {
  readonly writer = new WireWriter();
  readonly #messages: MessageTypes;

  constructor(messages: MessageTypes) {
    this.#messages = messages;
  }

  struct(type: StructType, object: JsonObject): void {
    const layout = this.#messages.layouts.of(type);
    if (!layout) throw new TypeError(`no message is known for ${type.name}`);
    this.#slots(layout, object);
  }

  #slots({ slots }: Layout, object: JsonObject): void {
    for (let place = slots.length - 1; place >= 0; place--) {
      const slot = slots[place];
      if (!slot) continue;
      if (slot.field) {
        this.#field(slot.number, slot.field.shape, member(object, slot.field.name));
        continue;
      }
      const end = this.writer.length;
      this.#slots(slot.inner, object);
      if (!slot.omitEmpty || this.writer.length > end) this.writer.prefix(slot.number, end);
    }
  }

  #field(number: number, shape: Shape, value: unknown): void {
    const isAbsent = value === undefined || value === null;
    if (shape.kind === 'list') {
      const list = isAbsent ? [] : (value as readonly unknown[]);
      for (let index = list.length - 1; index >= 0; index--) {
        this.#value(number, shape.element as Shape, list[index]);
      }
    } else if (shape.kind === 'map') {
      if (!isAbsent) this.#map(number, shape.element as Shape, value as JsonObject);
    } else if (!isAbsent || !isLeftOutWhenNil(shape)) {
      this.#value(number, shape, value);
    }
  }

  #map(number: number, element: Shape, map: JsonObject): void {
    const keys = Object.keys(map).sort(compareText);
    for (let index = keys.length - 1; index >= 0; index--) {
      const key = keys[index] as string;
      const end = this.writer.length;
      if (element.kind === 'list') {
        const inner = this.writer.length;
        this.#field(1, element, map[key]);
        this.writer.prefix(2, inner);
      } else if (element.kind !== 'bytes' || map[key] !== null) {
        this.#value(2, element, map[key]);
      }
      this.writer.text(1, key);
      this.writer.prefix(number, end);
    }
  }

  /** Writes a value even if it is absent, as zero. */
  #value(number: number, shape: Shape, value: unknown): void {
    const { writer } = this;
    switch (shape.kind) {
      case 'string':
        writer.text(number, textOf(value));
        break;
      case 'bool':
        writer.integer(number, value === true ? 1 : 0);
        break;
      case 'int32':
      case 'int64':
        writer.integer(number, integerOf(value));
        break;
      case 'float64':
        writer.double(number, Number(wrappedNumber(value) ?? value ?? 0));
        break;
      case 'bytes':
        writer.bytes(number, bytesOf(value));
        break;
      default: {
        const end = writer.length;
        this.#message(shape, value);
        writer.prefix(number, end);
      }
    }
  }

  #message(shape: Shape, value: unknown): void {
    switch (shape.kind) {
      case 'struct': {
        const type = this.#messages.struct(shape.struct as string);
        if (!type) throw new TypeError(`no fields are known of ${shape.struct}`);
        this.struct(type, isObject(value) ? value : nothing);
        break;
      }
      case 'time':
      case 'microtime':
        if (typeof value === 'string') this.#time(value, shape.kind);
        break;
      case 'quantity':
        this.writer.text(1, quantityText(value));
        break;
      case 'intorstring':
        this.#numberOrText(value);
        break;
      default:
        this.#free(shape.free, value);
    }
  }

  #time(text: string, kind: 'time' | 'microtime'): void {
    const { seconds, nanos } = secondsAndNanos(text);
    this.writer.integer(2, kind === 'time' ? 0 : nanos);
    this.writer.integer(1, seconds);
  }

  #numberOrText(value: unknown): void {
    const isText = typeof value === 'string';
    this.writer.text(3, isText ? value : '');
    this.writer.integer(2, isText ? 0 : integerOf(value));
    this.writer.integer(1, isText ? 1 : 0);
  }

  /** A value without a Go type of its member: mostly the bytes of its JSON. */
  #free(free: string | undefined, value: unknown): void {
    const isAbsent = value === undefined || value === null;
    if (free === 'schemaorbool') {
      if (typeof value !== 'boolean' && !isAbsent) this.#value(2, schemaShape, value);
      this.writer.integer(1, value === false ? 0 : 1);
    } else if (free === 'schemaorarray' || free === 'schemaorstrings') {
      const list = `[]${free === 'schemaorarray' ? schemaName : 'string'}`;
      if (Array.isArray(value)) this.#field(2, parseShape(list), value);
      else if (!isAbsent) this.#value(1, schemaShape, value);
    } else if (!isAbsent || free === 'json') {
      this.writer.bytes(1, encodeUtf8(stringifyJson(value, asRead)));
    }
  }
}

const schemaName = 'apiextensions.v1.JSONSchemaProps';
const schemaShape = parseShape(schemaName);

/** Whether Go holds nothing at all where there is no value, so that nothing is written. */
function isLeftOutWhenNil({ pointer, kind }: Shape): boolean {
  return pointer || kind === 'bytes';
}

function integerOf(value: unknown): number | bigint {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  return Math.trunc(wrappedNumber(value) ?? 0);
}

function quantityText(value: unknown): string {
  const text = typeof value === 'string' ? value : stringifyJson(value ?? 0, asRead);
  return 'error' in parseQuantity(text) ? '0' : text;
}

/** The bytes that a decoded object holds as base64. */
function bytesOf(value: unknown): Uint8Array {
  const bytes = decodeBase64(textOf(value));
  return 'error' in bytes ? new Uint8Array() : bytes;
}
