import { isObject, type JsonObject, member } from '@kubeadmit/apimachinery';
import { memberText } from '@kubeadmit/apimachinery/internal';
import { setKey } from '@kubeadmit/base';
import { podSpecPath } from '../autogen/kinds.ts';
import { readImageName } from '../images/image-name.ts';
import { Failure } from '../jmespath/failure.ts';

/** The images of an object's containers as the variable `images` holds them; undefined where there are none. */
export function imagesOf(object: JsonObject): JsonObject | Failure | undefined {
  const place = podSpecPath(memberText(object, 'kind'))?.split('.');
  if (place === undefined) return undefined;
  const images: JsonObject = {};
  for (const list of ['initContainers', 'containers', 'ephemeralContainers']) {
    const found = imagesOfList(object, [...place, list]);
    if (found instanceof Failure) return found;
    if (found !== undefined) images[list] = found;
  }
  return Object.keys(images).length === 0 ? undefined : images;
}

function imagesOfList(
  object: JsonObject,
  path: readonly string[],
): JsonObject | Failure | undefined {
  let value: unknown = object;
  for (const key of path) {
    if (value === null || value === undefined) return undefined;
    if (!isObject(value)) return new Failure('invalid image config');
    value = member(value, key);
  }
  if (value === null || value === undefined) return undefined;
  if (!Array.isArray(value) && !isObject(value)) return new Failure('invalid image config');
  const images: JsonObject = {};
  const containers = Array.isArray(value) ? value.entries() : Object.entries(value);
  const place = `/${path.join('/')}`;
  for (const [at, container] of containers) {
    if (!isObject(container)) continue;
    const problem = addImage(images, container, `${place}/${at}/image`);
    if (problem !== undefined) return problem;
  }
  return Object.keys(images).length === 0 ? undefined : images;
}

function addImage(images: JsonObject, container: JsonObject, pointer: string): Failure | undefined {
  const name = member(container, 'name');
  if (typeof name !== 'string') return new Failure('invalid key');
  const image = member(container, 'image');
  if (typeof image !== 'string' || image.trim() === '') return undefined;
  const read = readImageName(image);
  if (typeof read === 'string') return new Failure(`invalid image '${image}' (${read})`);
  const { tag, digest, registry } = read;
  setKey(images, name, {
    name: read.name,
    path: read.path,
    reference: read.reference,
    referenceWithTag: read.referenceWithTag,
    ...(registry !== '' && { registry }),
    ...(tag !== '' && { tag }),
    ...(digest !== '' && { digest }),
    jsonPointer: pointer,
  });
  return undefined;
}
