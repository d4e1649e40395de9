import type { GroupVersionResource } from '@kubeadmit/apimachinery';
import { CelError, type Value } from '@kubeadmit/cel';
import { typeOf } from '@kubeadmit/cel/values';
import { readImageReference } from '../../images/image-reference.ts';
import type { CompiledImages } from '../compile-images.ts';
import { auditAnnotationsOf, lookupOf } from '../evaluate.ts';
import { type AttestorValue, evaluateAttestor } from '../image-attestors.ts';
import { withImageVerification } from '../libraries/image-verify.ts';
import type { CompiledSpec } from '../policy.ts';
import type { Bindings, CelResult } from '../request.ts';
import { failureMessage } from '../validating.ts';
import type { Lookup } from '../variables.ts';
import { ImageFunctions, matchesAny, missingData, type VerifiedImages } from './image-functions.ts';

/** The result of a policy for the images of an object. */
export interface ImageOutcome {
  readonly result: CelResult;
  /** The selected images. */
  readonly images: readonly string[];
}

/** A spec of an ImageValidatingPolicy, for one request. */
export interface ImageTask {
  readonly spec: CompiledSpec;
  readonly images: CompiledImages;
  /** The resource of the request; empty for any JSON object. */
  readonly resource: GroupVersionResource;
  readonly bindings: Bindings;
  readonly verified: VerifiedImages;
}

/** Finds the images of an object, requires digests and data of them, and evaluates the validations. */
export function evaluateImages(task: ImageTask): ImageOutcome {
  const { images, verified } = task;
  return withImageVerification(new ImageFunctions(images, verified), () => evaluate(task));
}

function evaluate({ spec, images, resource, bindings, verified }: ImageTask): ImageOutcome {
  const known: Record<string, Value> = { ...bindings };
  const lookup = lookupOf(spec, known);
  const groups = selectedImages(images, resource, lookup);
  if (groups instanceof CelError) return failedEvaluation(groups.message);
  const selected = Object.values(groups).flat();
  for (const image of images.verifiesDigest ? selected : []) {
    const reference = readImageReference(image);
    if (typeof reference === 'string') {
      return failedEvaluation(`failed to parse image reference ${image}: ${reference}`);
    }
    if (reference.digest === '') {
      const message = `image ${image} does not have a digest`;
      return { result: { status: 'fail', message }, images: [] };
    }
  }
  for (const image of selected) {
    const missing = missingData(verified.verifier, image);
    if (missing !== undefined) return failedEvaluation(missing);
  }
  known['images'] = groups as Value;
  known['attestations'] = Object.fromEntries(
    Array.from(images.attestations.keys(), (name) => [name, name]),
  );
  known['attestors'] = attestorsOf(images, lookup) as Value;
  return { result: validate(spec, lookup), images: selected };
}

function failedEvaluation(problem: string): ImageOutcome {
  const message = `failed to evaluate policy: ${problem}`;
  return { result: { rule: 'evaluation', status: 'error', message }, images: [] };
}

function selectedImages(
  { extractors, references }: CompiledImages,
  resource: GroupVersionResource,
  lookup: Lookup,
): Readonly<Record<string, readonly string[]>> | CelError {
  const groups = new Map<string, readonly string[]>();
  for (const [group, program] of extractors(resource)) {
    const { value } = program.evaluate(lookup);
    if (value instanceof CelError) return value;
    if (!Array.isArray(value)) {
      return new CelError(`unsupported native conversion from ${typeOf(value)} to '[]string'`);
    }
    const selected: string[] = [];
    for (const image of value as readonly Value[]) {
      if (typeof image !== 'string') {
        return new CelError(`unsupported native conversion from ${typeOf(image)} to 'string'`);
      }
      const matches = matchesAny(references, image);
      if (matches instanceof CelError) return matches;
      if (matches) selected.push(image);
    }
    groups.set(group, selected);
  }
  return Object.fromEntries(groups);
}

function attestorsOf(
  { attestors }: CompiledImages,
  lookup: Lookup,
): Readonly<Record<string, AttestorValue | CelError>> {
  return Object.fromEntries(attestors.map((each) => [each.name, evaluateAttestor(each, lookup)]));
}

function validate(spec: CompiledSpec, lookup: Lookup): CelResult {
  for (const [index, validation] of spec.validations.entries()) {
    const { value } = validation.program.evaluate(lookup);
    if (value instanceof CelError) return failedEvaluation(value.message).result;
    if (value === true) continue;
    if (value !== false) return { status: 'error', message: 'error: no such overload' };
    const annotations = auditAnnotationsOf(spec, lookup);
    if (typeof annotations === 'string') return failedEvaluation(annotations).result;
    return { status: 'fail', message: failureMessage(validation, lookup, index) };
  }
  const annotations = auditAnnotationsOf(spec, lookup);
  if (typeof annotations === 'string') return failedEvaluation(annotations).result;
  return { status: 'pass', message: 'success' };
}
