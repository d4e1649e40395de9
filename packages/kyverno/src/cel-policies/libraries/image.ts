import { CelError, type Library, type Type, type Value } from '@kubeadmit/cel';
import type { FunctionRow } from '@kubeadmit/cel/declarations';
import { opaqueType } from '@kubeadmit/cel/types';
import { noOverload, OpaqueValue } from '@kubeadmit/cel/values';
import { type ImageReference, readImageReference } from '../../images/image-reference.ts';
import { functionsNamed } from './declare.ts';

const imageType: Type = opaqueType('kyverno.image');

/** The name of an image as a CEL value. */
class ImageValue extends OpaqueValue {
  readonly goType: string = 'image.Image';
  readonly reference: ImageReference;

  constructor(reference: ImageReference) {
    super();
    this.reference = reference;
  }

  get type(): Type {
    return imageType;
  }

  equals(other: Value): boolean | CelError {
    if (!(other instanceof ImageValue)) return noOverload();
    return other.reference.text === this.reference.text;
  }
}

/** A part of the name of an image. */
function part(
  name: string,
  id: string,
  result: string,
  read: (reference: ImageReference) => Value,
): FunctionRow {
  return [name, id, `Image.() -> ${result}`, ({ reference }: ImageValue) => read(reference)];
}

/**
 * Names of images (Kyverno's `kyverno.image`).
 *
 * - `parseImageReference("nginx").registry()` is `"index.docker.io"`, `.repository()` is
 *   `"library/nginx"`, `.tag()` and `.identifier()` are `"latest"`.
 */
export const imageLibrary: Library = {
  name: 'kyverno.image',
  types: [imageType],
  functions: functionsNamed(
    [
      [
        'parseImageReference image',
        'string_to_image',
        '(string) -> Image',
        (text: string) => {
          const reference = readImageReference(text);
          return typeof reference === 'string'
            ? new CelError(reference)
            : new ImageValue(reference);
        },
      ],
      [
        'isImage',
        'is_image_string',
        '(string) -> bool',
        (text: string) => typeof readImageReference(text) !== 'string',
      ],
      part('containsDigest', 'image_contains_digest', 'bool', ({ digest }) => digest !== ''),
      part('registry', 'image_registry', 'string', ({ registry }) => registry),
      part('repository', 'image_repository', 'string', ({ repository }) => repository),
      part('tag', 'image_tag', 'string', ({ tag }) => tag),
      part('digest', 'image_digest', 'string', ({ digest }) => digest),
      part('identifier', 'image_identifier', 'string', ({ tag, digest }) => {
        if (digest === '') return tag;
        return tag === '' ? digest : `${tag}@${digest}`;
      }),
      part(
        'identifierWithSeparator',
        'image_identifier_with_separator',
        'string',
        ({ tag, digest }) => (digest === '' ? `:${tag}` : `@${digest}`),
      ),
    ],
    { Image: imageType },
  ),
};
