import { isObject, type JsonObject, member, memberObject, textOf } from '@kubeadmit/apimachinery';
import { getOrMake } from '@kubeadmit/base';
import { formatJson, readJson } from '@kubeadmit/go';

/** Whether an image was verified, as an annotation keeps it. */
export type ImageStatus = 'pass' | 'fail' | 'skip';

/** The rule that verified images. */
export interface VerifyingRule {
  /** Empty for a ClusterPolicy. */
  readonly namespace: string;
  readonly policy: string;
  readonly rule: string;
}

const imagesKey = 'kyverno.io/verify-images';
const scopedKey = 'kyverno.io/verify-images-scoped';

type Statuses = Map<string, ImageStatus>;

/** The verified images of an object, which Kyverno keeps in annotations (`ImageVerificationMetadata`). */
export class VerifiedImages {
  readonly #images: Statuses = new Map();
  readonly #policies: Map<string, Map<string, Statuses>> = new Map();

  /** Notes an image that no rule verifies. */
  addSkipped(image: string): void {
    this.#images.set(image, 'skip');
  }

  /** Notes the status of an image for a rule. */
  add(image: string, status: ImageStatus, { namespace, policy, rule }: VerifyingRule): void {
    this.#images.set(image, status);
    const rules = getOrMake(this.#policies, `${namespace}/${policy}`, () => new Map());
    getOrMake(rules, rule, (): Statuses => new Map()).set(image, status);
  }

  /** Returns an object with the annotations; the object itself if nothing was verified. */
  annotate(object: JsonObject): JsonObject {
    if (this.#images.size === 0) return object;
    const metadata = memberObject(object, 'metadata');
    const annotations: JsonObject = {
      ...memberObject(metadata, 'annotations'),
      [imagesKey]: formatJson(plain(this.#images), { isSorted: true }),
    };
    if (this.#policies.size > 0) {
      const policies = formatJson(plain(this.#policies), { isSorted: true });
      annotations[scopedKey] = `{"version":1,"policies":${policies}}`;
    }
    return { ...object, metadata: { ...metadata, annotations } };
  }
}

function plain(value: unknown): unknown {
  if (!(value instanceof Map)) return value;
  return Object.fromEntries([...value].map(([key, item]) => [key, plain(item)]));
}

/**
 * Returns the status of an image that an annotation stores for a rule, or `fail` without one. An object with `error`
 * reports an unreadable annotation.
 */
export function verifiedStatus(
  object: JsonObject,
  { namespace, policy, rule }: VerifyingRule,
  image: string,
): ImageStatus | { readonly error: string } {
  const annotations = memberObject(memberObject(object, 'metadata'), 'annotations');
  const written = member(annotations, scopedKey);
  if (written === undefined) return 'fail';
  const read = readJson(textOf(written));
  if ('error' in read) {
    return { error: `failed to parse scoped image metadata: ${read.error}` };
  }
  if (!isObject(read.value) || member(read.value, 'version') !== 1) return 'fail';
  const images = member(member(member(read.value, 'policies'), `${namespace}/${policy}`), rule);
  const status = member(images, image);
  return status === 'pass' || status === 'skip' ? status : 'fail';
}
