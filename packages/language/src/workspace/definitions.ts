import type { TextDocument } from './text-document.ts';

export { type Schemas, withDefinitions } from '@kubeadmit/schemas';

const kind = 'CustomResourceDefinition';

/** The CustomResourceDefinitions of files, in the order of the files' names. */
export function definitionsOf(
  documents: Iterable<TextDocument>,
): readonly { readonly text: string; readonly objects: readonly unknown[] }[] {
  return [...documents]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(({ parts }) => parts)
    .filter(({ text }) => text.includes(kind))
    .map((part) => ({
      text: part.text,
      objects: part
        .read()
        .manifests.filter((manifest) => manifest.kind === kind)
        .map(({ object }) => object),
    }))
    .filter(({ objects }) => objects.length > 0);
}
