import {
  type GroupVersionKind,
  type JsonObject,
  parseGroupVersion,
  textOf,
} from '@kubeadmit/apimachinery';
import { concatenateBytes, encodeUtf8 } from '@kubeadmit/go';
import type { StructType } from '../types/type-store.ts';
import type { Schemas } from '../version/schemas.ts';
import { structNamed, structOf } from '../version/structs.ts';
import { type DecodedTypes, decodeMessage } from './decode.ts';
import { encodeMessage } from './encode.ts';
import { envelopeHead, envelopeTail, readEnvelope, writeEnvelope } from './envelope.ts';
import { Layouts } from './layout.ts';
import { metaStruct, partialNumbers, partialStructs } from './meta-structs.ts';
import { WireError } from './wire-reader.ts';
import { WireWriter } from './wire-writer.ts';

/** Reads and writes built-in kinds as protocol buffers. Created by {@link loadProtobuf}; immutable. */
export interface Protobuf {
  /** The kinds whose layouts these are. */
  readonly schemas: Schemas;
  /** Field numbers and wire types, by struct. */
  readonly layouts: Layouts;
  /** A cache of messages for immutable objects; absent if objects may change. */
  readonly written?: WrittenMessages | undefined;
}

/** Messages that were written, by their objects; it may forget them at any time. */
export interface WrittenMessages {
  /** The message of an object, where it is known. */
  get(object: JsonObject): WrittenMessage | undefined;
  /** Keeps the message of an object. */
  set(object: JsonObject, message: WrittenMessage): void;
}

/** The bytes of an object, and the struct that they are of. */
export interface WrittenMessage {
  /** Such as `core.v1.Pod`. */
  readonly struct: string;
  /** Without an envelope. */
  readonly bytes: Uint8Array;
}

/** The result of reading bytes: an object and the kind that its envelope names, or an error. */
export type ProtobufRead =
  /** An object, as it would be in JSON. */
  | { readonly kind: NamedKind; readonly object: JsonObject; readonly error?: undefined }
  /** apimachinery's error message; with the kind, if the envelope could be read. */
  | { readonly kind?: NamedKind; readonly object?: undefined; readonly error: string };

/** A kind as an envelope names it; both are empty where a client left them out. */
export interface NamedKind {
  /** Such as `apps/v1`. */
  readonly apiVersion: string;
  /** Such as `Deployment`. */
  readonly kind: string;
}

/** Loads the field numbers of the messages of built-in kinds, which are the same in all versions. */
export async function loadProtobuf(schemas: Schemas): Promise<Protobuf> {
  const { text } = await import('../data/protobuf.ts');
  return { schemas, layouts: new Layouts(`${text}\n${partialNumbers}`) };
}

/** Whether objects of a kind have a form in protocol buffers. */
export function hasProtobufForm(protobuf: Protobuf, kind: NamedKind): boolean {
  const type = structFor(protobuf, kind);
  return type !== undefined && protobuf.layouts.of(type) !== undefined;
}

/**
 * The bytes of an object as kube-apiserver answers `application/vnd.kubernetes.protobuf`; undefined for kinds that have
 * no such form, as those of definitions and tables.
 */
export function encodeProtobuf(protobuf: Protobuf, object: JsonObject): Uint8Array | undefined {
  const named = namesOf(object);
  const type = structFor(protobuf, named);
  if (!type || !protobuf.layouts.of(type)) return undefined;
  return writeEnvelope(named, messageOf(protobuf, type, object));
}

/**
 * As {@link encodeProtobuf}, one part after the other: of a list so many items at once as make about 64 kB, so that it
 * need not lie in memory twice.
 */
export function* encodeProtobufParts(
  protobuf: Protobuf,
  object: JsonObject,
): Generator<Uint8Array, void, undefined> {
  const listed = listedItems(protobuf, object);
  if (listed === undefined) {
    const whole = encodeProtobuf(protobuf, object);
    if (whole !== undefined) yield whole;
    return;
  }
  const { type, number, element, items } = listed;
  const { items: _, ...others } = object;
  const rest = encodeMessage(messagesOf(protobuf), type, others);
  const messages = items.map((item) => messageOf(protobuf, element, item));
  const headers = messages.map(({ length }) => {
    const writer = new WireWriter();
    writer.header(number, length);
    return writer.finish();
  });
  const length = [rest, ...headers, ...messages].reduce((sum, part) => sum + part.length, 0);
  let part = [envelopeHead(namesOf(object), length), rest];
  let size = 0;
  for (const [index, message] of messages.entries()) {
    part.push(headers[index] as Uint8Array, message);
    size += message.length;
    if (size < partSize) continue;
    yield concatenateBytes(part);
    part = [];
    size = 0;
  }
  yield concatenateBytes([...part, envelopeTail]);
}

const partSize = 64 * 1024;

interface ListedItems {
  readonly type: StructType;
  /** Of the items in the message of the list; the last one. */
  readonly number: number;
  readonly element: StructType;
  readonly items: readonly JsonObject[];
}

function listedItems(protobuf: Protobuf, object: JsonObject): ListedItems | undefined {
  const { items } = object;
  const type = Array.isArray(items) ? structFor(protobuf, namesOf(object)) : undefined;
  const last = type && protobuf.layouts.of(type)?.slots.at(-1);
  const shape = last?.field?.name === 'items' ? last.field.shape.element : undefined;
  const element = shape?.kind === 'struct' && structCalled(protobuf, shape.struct as string);
  if (!type || !last || !element) return undefined;
  return { type, number: last.number, element, items: items as readonly JsonObject[] };
}

function messageOf(protobuf: Protobuf, type: StructType, object: JsonObject): Uint8Array {
  const known = protobuf.written?.get(object);
  if (known?.struct === type.name) return known.bytes;
  const bytes = encodeMessage(messagesOf(protobuf), type, object);
  protobuf.written?.set(object, { struct: type.name, bytes });
  return bytes;
}

/**
 * One frame of a watch in `application/vnd.kubernetes.protobuf;stream=watch`, its length in front: an event that holds
 * the enveloped object. Undefined like {@link encodeProtobuf}.
 */
export function encodeWatchEvent(
  protobuf: Protobuf,
  event: { readonly type: string; readonly object: JsonObject },
): Uint8Array | undefined {
  const object = encodeProtobuf(protobuf, event.object);
  if (!object) return undefined;
  const writer = new WireWriter();
  writer.bytes(1, object);
  writer.prefix(2, 0);
  writer.bytes(1, encodeUtf8(event.type));
  const message = writer.finish();
  const frame = new Uint8Array(message.length + 4);
  new DataView(frame.buffer).setUint32(0, message.length);
  frame.set(message, 4);
  return frame;
}

/** Reads an enveloped object of a built-in kind, as clients send them; never throws. */
export function decodeProtobuf(
  protobuf: Protobuf,
  bytes: Uint8Array,
  fallback?: GroupVersionKind,
): ProtobufRead {
  try {
    const envelope = readEnvelope(bytes);
    if (!envelope)
      return {
        error:
          'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]',
      };
    const kind = { apiVersion: envelope.apiVersion, kind: envelope.kind };
    const type = structFor(protobuf, kind) ?? (fallback && structOf(protobuf.schemas, fallback));
    if (!type || !protobuf.layouts.of(type)) return { kind, error: unknownKind(kind) };
    const {
      apiVersion: _,
      kind: __,
      ...object
    } = decodeMessage(messagesOf(protobuf), type, envelope.raw);
    const named = kind.kind === '' && fallback ? fallback : undefined;
    return {
      kind,
      object: { ...(named ? {} : { kind: kind.kind, apiVersion: kind.apiVersion }), ...object },
    };
  } catch (error) {
    if (error instanceof WireError) return { error: error.message };
    throw error;
  }
}

function messagesOf(protobuf: Protobuf): DecodedTypes {
  const { schemas, layouts } = protobuf;
  return { types: schemas.types, struct: (name) => structCalled(protobuf, name), layouts };
}

function structCalled({ schemas }: Protobuf, name: string): StructType | undefined {
  return partialStructs.get(name) ?? structNamed(schemas, name);
}

function namesOf(object: JsonObject): NamedKind {
  const { apiVersion, kind } = object;
  return {
    apiVersion: textOf(apiVersion),
    kind: textOf(kind),
  };
}

function structFor(protobuf: Protobuf, { apiVersion, kind }: NamedKind): StructType | undefined {
  const meta = metaStruct(apiVersion, kind);
  if (meta) return structCalled(protobuf, meta);
  const home = parseGroupVersion(apiVersion);
  return home && structOf(protobuf.schemas, { ...home, kind });
}

function unknownKind({ apiVersion, kind }: NamedKind): string {
  return `no kind "${kind}" is registered for version "${apiVersion}"`;
}
