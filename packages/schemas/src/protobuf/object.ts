import { type GroupVersionKind, type JsonObject, parseGroupVersion } from '@kubeadmit/apimachinery';
import { encodeUtf8 } from '@kubeadmit/go';
import type { Schemas } from '../schemas.ts';
import { structNamed, structOf } from '../types/structs.ts';
import type { StructType } from '../types/type-store.ts';
import { type DecodedTypes, decodeMessage } from './decode.ts';
import { encodeMessage } from './encode.ts';
import { readEnvelope, writeEnvelope } from './envelope.ts';
import { Layouts } from './layout.ts';
import { metaStruct, partialNumbers, partialStructs } from './meta-structs.ts';
import { WireError } from './wire-reader.ts';
import { WireWriter } from './wire-writer.ts';

/** What is needed to read and write built-in kinds as protocol buffers. Made by {@link loadProtobuf}; immutable. */
export interface Protobuf {
  /** The kinds whose layouts these are. */
  readonly schemas: Schemas;
  /** Field numbers and wire types, by struct. */
  readonly layouts: Layouts;
}

/** What bytes hold: an object and the kind that its envelope names, or why they hold none. */
export type ProtobufRead =
  | { readonly kind: NamedKind; readonly object: JsonObject; readonly error?: undefined }
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
  return writeEnvelope(named, encodeMessage(messagesOf(protobuf), type, object));
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
    apiVersion: typeof apiVersion === 'string' ? apiVersion : '',
    kind: typeof kind === 'string' ? kind : '',
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
