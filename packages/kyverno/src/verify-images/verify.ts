import { isObject, type JsonObject, member } from '@kubeadmit/apimachinery';
import { deepEqual } from '@kubeadmit/go';
import type { PatchOperation } from '@kubeadmit/mutator';
import { compileConditions } from '../conditions/compile.ts';
import { evaluateConditions, joinMessages } from '../conditions/evaluate.ts';
import type { ImageVerifier } from '../context/image-verifier.ts';
import { field } from '../fields/fields.ts';
import { Failure } from '../jmespath/steps/failure.ts';
import { applyJsonPatch } from '../mutate/json-patch.ts';
import type { PolicyRequest } from '../rule/request.ts';
import type { RuleOutcome } from '../trace/outcome.ts';
import { substitute } from '../variables/substitute.ts';
import { type VerifiedImages, type VerifyingRule, verifiedStatus } from './annotations.ts';
import { verifyAttestations } from './attestations.ts';
import { verifyAttestors } from './attestors.ts';
import { isReferenced, type ObjectImage, withDigest } from './images.ts';
import { Problem } from './problem.ts';
import { type ImageItem, type ImageVerification, readItem } from './rule.ts';

/** A rule that verifies images, for one request. */
export interface ImageTask {
  readonly request: PolicyRequest;
  readonly verifier: ImageVerifier;
  readonly verification: ImageVerification;
  readonly origin: VerifyingRule;
  /** Receives the images with their status. */
  readonly verified: VerifiedImages;
}

/** The results of a rule for the images of an object, and the object with digests. */
export interface ImageOutcome {
  readonly outcomes: readonly RuleOutcome[];
  readonly object: JsonObject;
}

/** Verifies images by each item of a rule and adds digests (Kyverno's `mutateImageHandler`). */
export function verifyImages(
  task: ImageTask,
  images: readonly ObjectImage[],
  object: JsonObject,
): ImageOutcome {
  const items = substitutedItems(task);
  if (items instanceof Failure) {
    const message = `failed to substitute variables: ${items.message}`;
    return { outcomes: [{ status: 'error', message }], object };
  }
  const outcomes: RuleOutcome[] = [];
  const patch: PatchOperation[] = [];
  for (const item of items) {
    for (const image of images) {
      const result = verifyOne(task, item, image);
      outcomes.push(...result.outcomes);
      if (result.digest !== '') {
        const value = `${image.name}@${result.digest}`;
        patch.push({ op: 'replace', path: image.pointer, value });
      }
    }
  }
  if (patch.length === 0) return { outcomes, object };
  const patched = applyJsonPatch(object, JSON.stringify(patch));
  if (patched instanceof Failure) {
    const message = `failed to apply patch: ${patched.message}`;
    return { outcomes: [{ status: 'error', message }], object };
  }
  return { outcomes, object: patched as JsonObject };
}

/** The items with their variables replaced, except in conditions, which see more than the rule does. */
function substitutedItems({ request, verification }: ImageTask): readonly ImageItem[] | Failure {
  const bare = verification.source.map(withoutConditions);
  const document = substitute(request.context, { verifyImages: bare });
  if (document instanceof Failure) return document;
  const { verifyImages } = document as { readonly verifyImages: readonly JsonObject[] };
  return verifyImages.map((source, at) => {
    const item = readItem(source);
    const written = readItem(verification.source[at] ?? {});
    const attestations = item.attestations.map((attestation, index) => ({
      ...attestation,
      conditions: written.attestations[index]?.conditions ?? [],
    }));
    return { ...item, attestations, deny: written.deny };
  });
}

function withoutConditions(item: JsonObject): JsonObject {
  const attestations = field(item, 'attestations');
  const { validate: _, ...rest } = item;
  if (!Array.isArray(attestations)) return rest;
  const bare = attestations
    .filter(isObject)
    .map(({ conditions: _conditions, ...attestation }) => attestation);
  return { ...rest, attestations: bare };
}

interface OneOutcome {
  readonly outcomes: readonly RuleOutcome[];
  /** The digest that the object is to name; empty if nothing changes. */
  readonly digest: string;
}

function verifyOne(task: ImageTask, item: ImageItem, image: ObjectImage): OneOutcome {
  if (isKnown(task, image)) {
    task.verified.add(image.name, 'pass', task.origin);
    return { outcomes: [], digest: '' };
  }
  const { outcome, digest } = verifyImage(task, item, image);
  const found = item.mutatesDigest ? digestOf(task, image, digest) : '';
  const hasFailed = found instanceof Problem;
  const newDigest = hasFailed ? '' : found;
  const result =
    newDigest === '' ? outcome : (outcome ?? { status: 'pass', message: 'mutated image digest' });
  if (result !== undefined && item.attestors.length + item.attestations.length > 0) {
    const { name } = newDigest === '' ? image : withDigest(image, newDigest);
    task.verified.add(name, statusOf(result), task.origin);
  }
  const updateError = hasFailed
    ? [{ status: 'error', message: `failed to update digest: ${found.message}` } as const]
    : [];
  return {
    outcomes: [...updateError, ...(result === undefined ? [] : [result])],
    digest: newDigest,
  };
}

/** Whether the object before the request has the same image, verified by the rule. */
function isKnown({ request, origin }: ImageTask, { pointer, name }: ObjectImage): boolean {
  const { object, oldObject } = request;
  if (object === undefined || oldObject === undefined) return false;
  const path = pointer.split('/').slice(1);
  const [now, before] = [valueAt(object, path), valueAt(oldObject, path)];
  if (now === undefined || !deepEqual(now, before)) return false;
  const status = verifiedStatus(oldObject, origin, name);
  return status === 'pass' || status === 'skip';
}

function verifyImage(
  task: ImageTask,
  item: ImageItem,
  image: ObjectImage,
): { readonly outcome: RuleOutcome | undefined; readonly digest: string } {
  const { verifier, request, origin } = task;
  const { name } = image;
  const ended = (outcome: RuleOutcome | undefined) => ({ outcome, digest: '' });
  if (item.attestors.length + item.attestations.length === 0) return ended(undefined);
  request.context.add(['image'], variableOf(image));
  const skipped = `skipping image reference image ${name}, policy ${origin.policy} ruleName ${origin.rule}`;
  if (!isReferenced(item.references, name)) return ended({ status: 'skip', message: skipped });
  if (isReferenced(item.skippedReferences, name)) {
    task.verified.addSkipped(name);
    return ended({ status: 'skip', message: skipped });
  }
  let current = image;
  if (item.attestors.length > 0) {
    const digest = verifyAttestors(verifier, item, name);
    if (digest instanceof Problem)
      return ended(refused(digest.at(`failed to verify image ${name}`)));
    if (image.digest === '' && digest !== '') current = withDigest(image, digest);
    if (item.attestations.length === 0) {
      return {
        outcome: { status: 'pass', message: `verified image signatures for ${name}` },
        digest,
      };
    }
  }
  const attested = verifyAttestations({ verifier, context: request.context, item }, current);
  if (attested instanceof Problem) return ended(refused(attested));
  return { outcome: validated(task, attested), digest: attested.digest };
}

/** Missing data are an error of the rule; everything else is a failure. */
function refused({ message, isUnavailable }: Problem): RuleOutcome {
  return { status: isUnavailable ? 'error' : 'fail', message };
}

/** Evaluates the conditions over all attestations, of every item of the rule. */
function validated({ request, verification, origin }: ImageTask, image: ObjectImage): RuleOutcome {
  const items = verification.source.map(readItem);
  if (items.every(({ deny }) => deny === undefined)) {
    return { status: 'pass', message: `verified image attestations for ${image.name}` };
  }
  for (const { deny, denyMessage } of items) {
    if (deny === undefined) continue;
    const problem = deniedText(request, deny, denyMessage);
    if (problem === undefined) continue;
    return { status: 'fail', message: `validation in verifyImages failed: ${problem}` };
  }
  return { status: 'pass', message: `verifyImages validation is passed in ${origin.rule} rule` };
}

function deniedText(
  { context }: PolicyRequest,
  deny: JsonObject,
  message: string,
): string | undefined {
  const conditions = compileConditions(field(deny, 'conditions'));
  const outcome = evaluateConditions(context, conditions, 'deny');
  if (outcome instanceof Failure) return `failed to check deny conditions: ${outcome.message}`;
  if (!outcome.result) return undefined;
  const text = joinMessages([message, outcome.message], '; ');
  if (text === '') return 'validation error: imageVerify  failed';
  const substituted = substitute(context, text);
  if (substituted instanceof Failure) return outcome.message;
  return typeof substituted === 'string'
    ? substituted
    : "the produced message didn't resolve to a string, check your policy definition.";
}

/** The digest to add to the name of an image; empty for an image that has one. */
function digestOf({ verifier }: ImageTask, image: ObjectImage, verified: string): string | Problem {
  if (image.digest !== '') return '';
  if (verified !== '') return verified;
  const answer = verifier.digestOf(image.name);
  return 'error' in answer ? Problem.from(answer) : answer.digest;
}

function statusOf({ status }: RuleOutcome): 'pass' | 'skip' | 'fail' {
  if (status === 'pass') return 'pass';
  return status === 'skip' || status === 'warning' ? 'skip' : 'fail';
}

/** The image as conditions see it: parts that are missing are empty. */
function variableOf({ info }: ObjectImage): JsonObject {
  const parts = ['reference', 'referenceWithTag', 'registry', 'path', 'name', 'tag', 'digest'];
  return Object.fromEntries(parts.map((part) => [part, info[part] ?? '']));
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const key of path) found = Array.isArray(found) ? found[Number(key)] : member(found, key);
  return found;
}
