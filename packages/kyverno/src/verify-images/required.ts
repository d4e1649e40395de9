import type { JsonObject } from '@kubeadmit/apimachinery';
import type { PolicyRequest } from '../rule/request.ts';
import type { RuleOutcome } from '../trace/outcome.ts';
import { type VerifyingRule, verifiedStatus } from './annotations.ts';
import { isReferenced, type ObjectImage } from './images.ts';
import { type ImageItem, type ImageVerification, readItem } from './rule.ts';

/** Checks that the images of an object have digests and were verified (Kyverno's `validateImageHandler`). */
export function validateImages(
  request: PolicyRequest,
  { source }: ImageVerification,
  images: readonly ObjectImage[],
  origin: VerifyingRule,
): RuleOutcome {
  const skipped: string[] = [];
  let passed = 0;
  for (const item of source.map(readItem)) {
    for (const image of images) {
      if (!isReferenced(item.references, image.name)) continue;
      const status = validateImage(request, item, image, origin);
      if (typeof status === 'object') return { status: 'fail', message: status.error };
      if (status === 'skip') skipped.push(image.name);
      if (status === 'pass') passed++;
    }
  }
  if (passed === 0 && skipped.length > 0) {
    return { status: 'skip', message: `image skipped, skipped images: ${skipped.join(' ')}` };
  }
  const message =
    skipped.length > 0 ? `image verified, skipped images: ${skipped.join(' ')}` : 'image verified';
  return { status: 'pass', message };
}

function validateImage(
  { object }: { readonly object: JsonObject | undefined },
  { verifiesDigest, isRequired }: ImageItem,
  { name, digest }: ObjectImage,
  origin: VerifyingRule,
): ReturnType<typeof verifiedStatus> | undefined {
  if (verifiesDigest && digest === '') return { error: `missing digest for ${name}` };
  if (!isRequired || object === undefined) return undefined;
  const status = verifiedStatus(object, origin, name);
  return status === 'fail' ? { error: `unverified image ${name}` } : status;
}
