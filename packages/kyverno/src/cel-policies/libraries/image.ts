import {
  CelError,
  type FunctionDeclaration,
  type Library,
  type Type,
  type Value,
} from '@kubeadmit/cel';
import { boolType, OpaqueValue, opaqueType, stringType } from '@kubeadmit/cel/internal';
import { type ImageReference, readImageReference } from '../../images/image-reference.ts';
import { functionsNamed, membersNamed } from './declare.ts';

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
    if (!(other instanceof ImageValue)) return new CelError('no such overload');
    return other.reference.text === this.reference.text;
  }
}

/** A part of the name of an image. */
function part(
  name: string,
  id: string,
  result: Type,
  read: (reference: ImageReference) => Value,
): readonly FunctionDeclaration[] {
  return membersNamed([name], {
    id,
    parameters: [imageType],
    result,
    evaluate: (image: Value) => read((image as ImageValue).reference),
  });
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
  functions: [
    ...functionsNamed(['parseImageReference', 'image'], {
      id: 'string_to_image',
      parameters: [stringType],
      result: imageType,
      evaluate: (text: Value) => {
        const reference = readImageReference(text as string);
        return typeof reference === 'string' ? new CelError(reference) : new ImageValue(reference);
      },
    }),
    ...functionsNamed(['isImage'], {
      id: 'is_image_string',
      parameters: [stringType],
      result: boolType,
      evaluate: (text: Value) => typeof readImageReference(text as string) !== 'string',
    }),
    ...part('containsDigest', 'image_contains_digest', boolType, ({ digest }) => digest !== ''),
    ...part('registry', 'image_registry', stringType, ({ registry }) => registry),
    ...part('repository', 'image_repository', stringType, ({ repository }) => repository),
    ...part('tag', 'image_tag', stringType, ({ tag }) => tag),
    ...part('digest', 'image_digest', stringType, ({ digest }) => digest),
    ...part('identifier', 'image_identifier', stringType, ({ tag, digest }) => {
      if (digest === '') return tag;
      return tag === '' ? digest : `${tag}@${digest}`;
    }),
    ...part(
      'identifierWithSeparator',
      'image_identifier_with_separator',
      stringType,
      ({ tag, digest }) => (digest === '' ? `:${tag}` : `@${digest}`),
    ),
  ],
};
