import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { formatJson } from '@kubeadmit/go';
import { quoteJson } from '@kubeadmit/go/internal';
import { formatYaml } from '@kubeadmit/manifest';
import type { Schemas } from '@kubeadmit/schemas';
import type { ResponseBody, WatchEvent } from '../response.ts';
import type { Codec } from './codec.ts';

/** What the bytes of an answer depend on. */
export interface EncodeOptions {
  /** The kinds that are known. */
  readonly schemas: Schemas;
  /** Media types beside JSON and YAML, the same as the server's. */
  readonly codecs?: readonly Codec[] | undefined;
}

/** The bytes of a body that is no stream, text as it is to be written in UTF-8. */
export function encodeBody(
  body: Exclude<ResponseBody, { readonly type: 'events' }>,
  options: EncodeOptions,
): string | Uint8Array {
  if (body.type === 'none') return '';
  if (body.type === 'text') return body.text;
  if (body.type === 'bytes') return body.bytes;
  return encodeObject(body, options);
}

/** The bytes of one event of a watch, with the line break or frame that ends it. */
export function encodeEvent(
  event: WatchEvent,
  { schemas, codecs = [], mediaType }: EncodeOptions & { readonly mediaType: string },
): string | Uint8Array {
  const codec = codecs.find(({ streamMediaType }) => streamMediaType === mediaType);
  if (codec !== undefined) return codec.encodeEvent(schemas, event);
  return `{"type":${quoteJson(event.type)},"object":${jsonOf(event.object)}}\n`;
}

/** Texts of objects that are listed and watched again and again; they go when the objects do. */
const texts: WeakMap<KubernetesObject, string> = new WeakMap();

// INVARIANT: nobody changes an object that was answered.
function jsonOf(object: KubernetesObject): string {
  const known = texts.get(object);
  if (known !== undefined) return known;
  const text = formatJson(object);
  texts.set(object, text);
  return text;
}

// A list is put together from the texts of its items.
function listJson(list: KubernetesObject, items: readonly KubernetesObject[]): string {
  const members = Object.keys(list).map((name) => {
    const text = name === 'items' ? `[${items.map(jsonOf).join(',')}]` : formatJson(list[name]);
    return `${quoteJson(name)}:${text}`;
  });
  return `{${members.join(',')}}\n`;
}

function isObjects(items: unknown): items is readonly KubernetesObject[] {
  return Array.isArray(items) && items.every((item) => typeof item === 'object' && item !== null);
}

function encodeObject(
  {
    value,
    mediaType,
    isPretty,
  }: { readonly value: KubernetesObject; readonly mediaType: string; readonly isPretty: boolean },
  { schemas, codecs = [] }: EncodeOptions,
): string | Uint8Array {
  if (mediaType === 'application/yaml') return formatYaml(value);
  const codec = codecs.find((known) => known.mediaType === mediaType);
  if (codec !== undefined) return codec.encode(schemas, value);
  const items = value['items'];
  if (!isPretty && isObjects(items)) return listJson(value, items);
  return `${formatJson(value, { indent: isPretty ? 2 : 0 })}\n`;
}
