import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { formatJson } from '@kubeadmit/go';
import { stringifyYaml } from '@kubeadmit/manifest';
import type { Schemas } from '@kubeadmit/schemas';
import type { ResponseBody, WatchEvent } from '../response.ts';
import type { Codec } from './codec.ts';

/** What the bytes of an answer depend on. */
export interface EncodeOptions {
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
  return codec?.encodeEvent(schemas, event) ?? `${formatJson(event)}\n`;
}

function encodeObject(
  {
    value,
    mediaType,
    isPretty,
  }: { readonly value: KubernetesObject; readonly mediaType: string; readonly isPretty: boolean },
  { schemas, codecs = [] }: EncodeOptions,
): string | Uint8Array {
  if (mediaType === 'application/yaml') return stringifyYaml(value);
  const codec = codecs.find((known) => known.mediaType === mediaType);
  return codec?.encode(schemas, value) ?? `${formatJson(value, { indent: isPretty ? 2 : 0 })}\n`;
}
