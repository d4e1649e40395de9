import type { JsonObject } from '@kubeadmit/apimachinery';
import { Failure } from '../jmespath/steps/failure.ts';
import { extractImages } from './image-extractors.ts';

/** The images of an object's containers as the variable `images` holds them; undefined where there are none. */
export function imagesOf(object: JsonObject): JsonObject | Failure | undefined {
  const images = extractImages(object, undefined);
  if (images instanceof Failure) return images;
  return Object.keys(images).length === 0 ? undefined : images;
}
