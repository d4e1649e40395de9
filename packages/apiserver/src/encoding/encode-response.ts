import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { getOrMake } from '@kubeadmit/base';
import { formatJson, quoteJson } from '@kubeadmit/go';
import { formatYamlParts } from '@kubeadmit/manifest';
import type { Schemas } from '@kubeadmit/schemas';
import type { ResponseBody, WatchEvent } from '../http/response.ts';
import type { Codec } from './codec.ts';
import { MemoizedForms } from './memoized-forms.ts';

/** The settings that the bytes of an answer depend on. */
export interface EncodeOptions {
  /** The kinds that are known. */
  readonly schemas: Schemas;
  /** Media types beside JSON and YAML, the same as the server's. */
  readonly codecs?: readonly Codec[] | undefined;
}

/** A body that is not a stream of events. */
type WholeBody = Exclude<ResponseBody, { readonly type: 'events' }>;

/** Returns the bytes of a body that is not a stream; text as a string to be written in UTF-8. */
export function encodeBody(body: WholeBody, options: EncodeOptions): string | Uint8Array {
  const [first = '', ...others] = encodeParts(body, options);
  return others.length === 0 ? first : first + others.join('');
}

/**
 * Like {@link encodeBody}, in parts that are produced on demand. A list has many parts, so that it is never in
 * memory as a whole.
 */
export function* encodeParts(
  body: WholeBody,
  options: EncodeOptions,
): Generator<string | Uint8Array, void, undefined> {
  if (body.type === 'none') yield '';
  else if (body.type === 'text') yield body.text;
  else if (body.type === 'bytes') yield body.bytes;
  else yield* encodeObject(body, options);
}

/** The bytes of one event of a watch, with the line break or frame that ends it. */
export function encodeEvent(
  event: WatchEvent,
  options: EncodeOptions & { readonly mediaType: string },
): string | Uint8Array {
  const { schemas, codecs = [], mediaType } = options;
  const codec = codecs.find(({ streamMediaType }) => streamMediaType === mediaType);
  if (codec !== undefined) return codec.encodeEvent(schemas, event);
  return `{"type":${quoteJson(event.type)},"object":${jsonOf(event.object)}}\n`;
}

/** 32 Mi characters of texts of objects. */
const texts = new MemoizedForms<string>(2 ** 25, ({ length }) => length);

// INVARIANT: an object is never modified after it was returned in a response.
function jsonOf(object: KubernetesObject): string {
  return getOrMake(texts, object, () => formatJson(object));
}

/** Characters of a part of a list, about. */
const partLength = 64 * 1024;

// The texts of a list's items are joined, and for a table those of its rows, which are created for it alone.
function* listJson(
  list: KubernetesObject,
  name: 'items' | 'rows',
): Generator<string, void, undefined> {
  const textOf = name === 'items' ? jsonOf : formatJson;
  let part = '{';
  let comma = '';
  for (const member of Object.keys(list)) {
    if (list[member] === undefined) continue;
    part += `${comma}${quoteJson(member)}:`;
    comma = ',';
    if (member !== name) {
      part += formatJson(list[member]);
      continue;
    }
    let separator = '[';
    for (const item of list[member] as readonly KubernetesObject[]) {
      part += separator + textOf(item);
      separator = ',';
      if (part.length < partLength) continue;
      yield part;
      part = '';
    }
    part += separator === '[' ? '[]' : ']';
  }
  yield `${part}}\n`;
}

/** The member that makes a list of an object, or a table. */
function listedMember(value: KubernetesObject): 'items' | 'rows' | undefined {
  return (['items', 'rows'] as const).find((name) => isObjects(value[name]));
}

function isObjects(items: unknown): items is readonly KubernetesObject[] {
  return Array.isArray(items) && items.every((item) => typeof item === 'object' && item !== null);
}

function encodeWith(codec: Codec, schemas: Schemas, value: KubernetesObject): Iterable<Uint8Array> {
  return codec.encodeParts?.(schemas, value) ?? [codec.encode(schemas, value)];
}

function* encodeObject(
  {
    value,
    mediaType,
    isPretty,
  }: { readonly value: KubernetesObject; readonly mediaType: string; readonly isPretty: boolean },
  { schemas, codecs = [] }: EncodeOptions,
): Generator<string | Uint8Array, void, undefined> {
  const codec = codecs.find((known) => known.mediaType === mediaType);
  const listed = isPretty ? undefined : listedMember(value);
  if (mediaType === 'application/yaml') yield* formatYamlParts(value, partLength);
  else if (codec !== undefined) yield* encodeWith(codec, schemas, value);
  else if (listed !== undefined) yield* listJson(value, listed);
  // Go writes a final newline after compact JSON, but not after indented JSON.
  else if (isPretty) yield formatJson(value, { indent: 2 });
  else yield `${texts.get(value) ?? formatJson(value)}\n`;
}
