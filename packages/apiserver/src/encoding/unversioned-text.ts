import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { objectMetaFields } from '@kubeadmit/apimachinery/internal';
import { formatJson, quoteJson } from '@kubeadmit/go/internal';
import { metadataOf } from '../objects/metadata.ts';

/** The JSON text of a stored object, without its resource version. */
export interface UnversionedText {
  readonly text: string;
  /** Where the resource version belongs, behind another field of the metadata; absent where there is none. */
  readonly place?: number | undefined;
}

/** The fields of metadata that stand before the resource version. */
const before: ReadonlySet<string> = new Set(
  objectMetaFields.slice(0, objectMetaFields.indexOf('resourceVersion')),
);

/** Writes an object without resource version, so that it need not be written again with one. */
export function formatUnversioned(object: KubernetesObject): UnversionedText {
  const parts: string[] = [];
  let place: number | undefined;
  let length = 1;
  for (const name of Object.keys(object)) {
    if (object[name] === undefined) continue;
    const begin = `${quoteJson(name)}:`;
    let own: string;
    if (name === 'metadata') {
      const metadata = formatMetadata(metadataOf(object));
      own = metadata.text;
      if (metadata.place !== undefined) place = length + begin.length + metadata.place;
    } else {
      own = formatJson(object[name]);
    }
    parts.push(begin + own);
    length += begin.length + own.length + 1;
  }
  return { text: `{${parts.join(',')}}`, place };
}

function formatMetadata(metadata: object): UnversionedText {
  const entries = Object.entries(metadata);
  const first = entries.filter(([name]) => before.has(name));
  const begin = formatJson(Object.fromEntries(first));
  const others = formatJson(Object.fromEntries(entries.slice(first.length)));
  // The order that `withMetadata` produces; other orders are written unchanged.
  const isOrdered = first.every(([name], at) => entries[at]?.[0] === name);
  if (!isOrdered || begin === '{}') return { text: formatJson(metadata) };
  const place = begin.length - 1;
  const text = others === '{}' ? begin : `${begin.slice(0, place)},${others.slice(1)}`;
  return { text, place };
}

/** The text of an object with its resource version; undefined where that has no place in it. */
export function versionedText(
  { text, place }: UnversionedText,
  revision: number,
): string | undefined {
  if (place === undefined) return undefined;
  return `${text.slice(0, place)},"resourceVersion":"${revision}"${text.slice(place)}`;
}
