import { isObject, type JsonObject, member, memberText } from '@kubeadmit/apimachinery';
import { setKey } from '@kubeadmit/base';
import { formatValue, trimLeft, trimRight } from '@kubeadmit/go';
import { podSpecPath } from '../autogen/kinds.ts';
import { field, objectsField, stringField } from '../fields/fields.ts';
import { type ImageName, readImageName } from '../images/image-name.ts';
import { compileExpression } from '../jmespath/expression.ts';
import { Failure } from '../jmespath/steps/failure.ts';

/** The paths of the images of a kind, and their names. */
interface Extractor {
  /** The name of the group of images. */
  readonly group: string;
  /** Members on the way to the images; `*` is every element or member. */
  readonly path: readonly string[];
  /** The member that names an image in its group; empty for its place. */
  readonly key: string;
  /** The member that contains the image. */
  readonly value: string;
  /** A JMESPath expression that makes the name of the image of the value; empty for the value itself. */
  readonly expression: string;
}

/**
 * Returns the images of an object in groups, as the variable `images` shows them: by the `imageExtractors` of a rule
 * if they name the kind of the object, else those of the containers (Kyverno's `ExtractImagesFromResource`).
 */
export function extractImages(
  object: JsonObject,
  configured: JsonObject | undefined,
): JsonObject | Failure {
  const extractors = extractorsFor(memberText(object, 'kind'), configured);
  if (extractors instanceof Failure) return extractors;
  const groups: JsonObject = {};
  for (const extractor of extractors) {
    const images: JsonObject = {};
    const problem = extract(object, extractor, [], 0, images);
    if (problem !== undefined) return problem;
    if (Object.keys(images).length > 0) setKey(groups, extractor.group, images);
  }
  return groups;
}

function extractorsFor(
  kind: string,
  configured: JsonObject | undefined,
): readonly Extractor[] | Failure {
  const isConfigured = configured !== undefined && field(configured, kind) !== undefined;
  if (!isConfigured) return standardExtractors(kind);
  const own = objectsField(configured, kind).map(readExtractor);
  return own.length > 0 ? own : new Failure(`no extractors found for ${kind}`);
}

function standardExtractors(kind: string): readonly Extractor[] {
  const place = podSpecPath(kind)?.split('.');
  if (place === undefined) return [];
  return ['initContainers', 'containers', 'ephemeralContainers'].map((group) => ({
    group,
    path: [...place, group, '*'],
    key: 'name',
    value: 'image',
    expression: '',
  }));
}

function readExtractor(source: JsonObject): Extractor {
  const path = stringField(source, 'path')
    .split('/')
    .map((part) => trimLeft(trimRight(part, ' '), ' '))
    .filter((part) => part !== '');
  const value = stringField(source, 'value');
  return {
    group: stringField(source, 'name') || 'custom',
    path: value === '' ? path.slice(0, -1) : path,
    key: stringField(source, 'key'),
    value: value || (path.at(-1) ?? ''),
    expression: stringField(source, 'jmesPath'),
  };
}

function extract(
  value: unknown,
  extractor: Extractor,
  place: readonly string[],
  at: number,
  images: JsonObject,
): Failure | undefined {
  if (value === null || value === undefined) return undefined;
  const step = extractor.path[at];
  if (step !== '*') {
    if (!isObject(value)) return new Failure('invalid image config');
    if (step === undefined) return addImage(value, extractor, place, images);
    return extract(member(value, step), extractor, [...place, step], at + 1, images);
  }
  if (!Array.isArray(value) && !isObject(value)) return new Failure('invalid type');
  const elements = Array.isArray(value) ? value.entries() : Object.entries(value);
  for (const [key, element] of elements) {
    const problem = extract(element, extractor, [...place, String(key)], at + 1, images);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function addImage(
  owner: JsonObject,
  extractor: Extractor,
  place: readonly string[],
  images: JsonObject,
): Failure | undefined {
  const pointer = `/${place.join('/')}/${extractor.value}`;
  const key = extractor.key === '' ? pointer : member(owner, extractor.key);
  if (typeof key !== 'string') return new Failure('invalid key');
  const written = member(owner, extractor.value);
  if (typeof written !== 'string' || written.trim() === '') return undefined;
  const image = imageOf(written, extractor.expression);
  if (image instanceof Failure) return image;
  const read = readImageName(image);
  if (typeof read === 'string') return new Failure(`invalid image '${image}' (${read})`);
  setKey(images, key, infoOf(read, pointer));
  return undefined;
}

function imageOf(value: string, text: string): string | Failure {
  if (text === '') return value;
  const expression = compileExpression(text);
  if (expression instanceof Failure) {
    return new Failure(`invalid jmespath ${text}: ${expression.message}`);
  }
  const result = expression.search(value);
  if (result instanceof Failure) {
    return new Failure(`failed to apply jmespath ${text}: ${result.message}`);
  }
  if (typeof result === 'string') return result;
  return new Failure(`jmespath ${text} must produce a string, but produced ${formatValue(result)}`);
}

function infoOf(read: ImageName, jsonPointer: string): JsonObject {
  const { name, path, reference, referenceWithTag, registry, tag, digest } = read;
  return {
    name,
    path,
    reference,
    referenceWithTag,
    ...(registry !== '' && { registry }),
    ...(tag !== '' && { tag }),
    ...(digest !== '' && { digest }),
    jsonPointer,
  };
}
