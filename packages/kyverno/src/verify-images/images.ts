import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { extractImages } from '../context/image-extractors.ts';
import { objectField } from '../fields/fields.ts';
import { Failure } from '../jmespath/steps/failure.ts';
import { matchesWildcard } from '../match/wildcard.ts';
import type { ImageItem } from './rule.ts';

/** An image of an object. */
export interface ObjectImage {
  /** The image as the variable `image` shows it. */
  readonly info: JsonObject;
  /** Where the name of the image is in the object, as a JSON pointer. */
  readonly pointer: string;
  /** The digest that the object names; empty if it names none. */
  readonly digest: string;
  /** `registry/path@digest`, or `registry/path:tag` without a digest. */
  readonly name: string;
}

/** Returns the images of an object in groups, by the extractors of a rule or the standard ones. */
export function imageGroups(object: JsonObject, rule: JsonObject): JsonObject | Failure {
  const configured = objectField(rule, 'imageExtractors');
  const groups = extractImages(object, configured);
  if (!(groups instanceof Failure)) return groups;
  // The images of containers are read for the context, which ignores errors.
  return configured === undefined ? {} : new Failure(`failed to extract images: ${groups.message}`);
}

/** Returns the images of groups. */
export function imagesIn(groups: JsonObject): readonly ObjectImage[] {
  return Object.values(groups).flatMap((group) =>
    Object.values(group as JsonObject)
      .filter(isObject)
      .map(readImage),
  );
}

function readImage(info: JsonObject): ObjectImage {
  const { digest = '', reference = '', jsonPointer = '' } = info;
  return { info, pointer: String(jsonPointer), digest: String(digest), name: String(reference) };
}

/** Returns the image with a digest. */
export function withDigest(image: ObjectImage, digest: string): ObjectImage {
  const { registry = '', path = '' } = image.info;
  const place = registry === '' ? path : `${registry}/${path}`;
  return { ...image, digest, info: { ...image.info, digest }, name: `${place}@${digest}` };
}

/** Whether an image matches any of some patterns. */
export function isReferenced(patterns: readonly string[], image: string): boolean {
  return patterns.some((pattern) => matchesWildcard(pattern, image));
}

/** Returns each image once for each item that it matches, as Kyverno does (`GetMatchingImages`). */
export function matchingImages(
  groups: JsonObject,
  items: readonly ImageItem[],
): readonly ObjectImage[] {
  return imagesIn(groups).flatMap((image) =>
    items.filter(({ references }) => isReferenced(references, image.name)).map(() => image),
  );
}
