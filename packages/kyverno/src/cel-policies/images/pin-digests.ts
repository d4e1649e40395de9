import type { JsonObject } from '@kubeadmit/apimachinery';
import { CelError } from '@kubeadmit/cel';
import type { PatchOperation } from '@kubeadmit/mutator';
import { extractImages } from '../../context/image-extractors.ts';
import type { ImageVerifier } from '../../context/image-verifier.ts';
import { Failure } from '../../jmespath/steps/failure.ts';
import { applyJsonPatch } from '../../mutate/json-patch.ts';
import { imagesIn } from '../../verify-images/images.ts';
import { requireCelArguments } from '../arguments.ts';
import type { CompiledImages } from '../compile-images.ts';
import type { CelPolicy, CompiledSpec } from '../policy.ts';
import { type CelRequest, policyBindings } from '../request.ts';
import { matchesAny, noVerifier } from './image-functions.ts';
import { passGate } from './image-gate.ts';
import { type ImageResponse, type ImageSetting, selects } from './validate-images.ts';

/** The object with digests, and the policies whose digests are unknown. */
export interface PinnedObject {
  readonly responses: readonly ImageResponse[];
  /** The policies that added digests. */
  readonly pinning: readonly CelPolicy[];
  readonly object: JsonObject;
}

/**
 * Adds the digests of images to an object, for each ImageValidatingPolicy that selects it (Kyverno's `MutateDigest`).
 * Nothing is verified. A digest that is unknown is an error of the policy.
 *
 * @throws TypeError if a policy was not created by `compileCelPolicy`, or the request is invalid
 */
export function pinDigests(
  policies: readonly CelPolicy[],
  request: CelRequest,
  setting: ImageSetting,
): PinnedObject {
  const object = (request.attributes.object ?? {}) as JsonObject;
  const responses: ImageResponse[] = [];
  const pinning: CelPolicy[] = [];
  const patch = new Map<string, PatchOperation>();
  for (const policy of policies) {
    requireCelArguments('pinDigests', policy, request);
    if (policy.problems.length > 0) continue;
    for (const spec of policy.specs) {
      const { images } = spec;
      if (!images?.mutatesDigest || selects(policy, spec, request, setting) !== true) continue;
      const { operations, problems } = pinned(spec, images, request, setting.verifier);
      if (operations.length > 0) pinning.push(policy);
      for (const operation of operations) {
        const path = String(operation.path);
        if (!patch.has(path)) patch.set(path, operation);
      }
      if (problems.length > 0) responses.push(unpinned(policy, problems));
    }
  }
  if (patch.size === 0) return { responses, pinning, object };
  const made = applyJsonPatch(object, JSON.stringify([...patch.values()]));
  // The paths are those of the object itself.
  if (made instanceof Failure) throw new Error(String(made.message));
  return { responses, pinning, object: made as JsonObject };
}

function unpinned(policy: CelPolicy, problems: readonly string[]): ImageResponse {
  const message = `failed to update digest: ${problems.join('; ')}`;
  return { policy, result: { rule: 'mutateDigest', status: 'error', message } };
}

interface Pinned {
  readonly operations: readonly PatchOperation[];
  readonly problems: readonly string[];
}

function pinned(
  spec: CompiledSpec,
  images: CompiledImages,
  request: CelRequest,
  verifier: ImageVerifier | undefined,
): Pinned {
  const failed = (problem: string): Pinned => ({ operations: [], problems: [problem] });
  const gate = passGate(spec, policyBindings(request, false));
  if (gate.outcome === 'error') return failed(gate.message);
  if (gate.outcome !== 'evaluate') return { operations: [], problems: [] };
  const groups = extractImages((request.attributes.object ?? {}) as JsonObject, undefined);
  if (groups instanceof Failure) return failed(groups.message);
  const operations: PatchOperation[] = [];
  const problems: string[] = [];
  for (const { name: image, digest, pointer } of imagesIn(groups)) {
    if (digest !== '') continue;
    const matches = matchesAny(images.references, image);
    if (matches instanceof CelError) return failed(matches.message);
    if (!matches) continue;
    const answer = verifier?.digestOf(image) ?? { error: noVerifier };
    if ('error' in answer) {
      problems.push(`failed to resolve digest for image ${image}: ${answer.error}`);
      continue;
    }
    const value = `${image}@${answer.digest}`;
    operations.push({ op: 'replace', path: pointer, value });
  }
  return { operations, problems };
}
