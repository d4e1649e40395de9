import type { JsonObject } from '@kubeadmit/apimachinery';
import type { ImageVerifier } from '../../context/image-verifier.ts';
import { requireCelArguments } from '../arguments.ts';
import type { CelSources } from '../libraries/sources.ts';
import type { CelPolicy } from '../policy.ts';
import {
  type CelRequest,
  type CelResult,
  matchesConstraints,
  matchesRequest,
  payloadBindings,
  policyBindings,
} from '../request.ts';
import { brokenPolicy } from '../validating.ts';
import { evaluateImages, type ImageOutcome } from './evaluate-images.ts';
import { VerifiedImages } from './image-functions.ts';
import { passGate } from './image-gate.ts';

/** How ImageValidatingPolicies are evaluated. */
export interface ImageSetting {
  /** Verifies images; without it, the data of every image are missing. */
  readonly verifier: ImageVerifier | undefined;
  /** Whether policies of a namespace apply to all namespaces, as in Kyverno's CLI. */
  readonly ignoresNamespace?: boolean;
}

/** The result of an ImageValidatingPolicy for a request. */
export interface ImageResponse {
  /** The policy. */
  readonly policy: CelPolicy;
  /** Its result. */
  readonly result: CelResult;
}

type Evaluated = ImageResponse & ImageOutcome & { readonly isRequired: boolean };

/** Validates the images of one object by ImageValidatingPolicies (Kyverno's `ivpol` engine). */
export class ImageValidation {
  readonly #setting: ImageSetting;
  readonly #verified: VerifiedImages;
  readonly #evaluated: Evaluated[] = [];

  constructor(setting: ImageSetting) {
    this.#setting = setting;
    this.#verified = new VerifiedImages(setting.verifier);
  }

  /**
   * Evaluates a policy for a request.
   *
   * @throws TypeError if the policy was not created by `compileCelPolicy`, or the request is invalid
   */
  validate(policy: CelPolicy, request: CelRequest): void {
    requireCelArguments('ImageValidation.validate', policy, request);
    const { kind, name, namespace } = policy;
    request.trace?.policy({ kind, policy: name, namespace, type: 'ImageVerify' });
    for (const spec of policy.specs) {
      const matches = selects(policy, spec, request, this.#setting);
      if (typeof matches === 'string') {
        const message = `failed to execute matching: ${matches}`;
        this.#keep(policy, { result: { rule: 'match', status: 'error', message }, images: [] });
      } else if (matches) {
        const { resource } = request.attributes;
        this.#evaluate(policy, spec, policyBindings(request, false), resource);
      }
    }
  }

  /** Evaluates a policy in JSON mode for any JSON object. */
  validatePayload(policy: CelPolicy, payload: JsonObject, sources: CelSources): void {
    const [spec] = policy.specs;
    if (spec === undefined) return;
    const resource = { group: '', version: '', resource: '' };
    this.#evaluate(policy, spec, payloadBindings(payload, sources), resource);
  }

  #evaluate(
    policy: CelPolicy,
    spec: CelPolicy['specs'][number],
    bindings: ReturnType<typeof policyBindings>,
    resource: CelRequest['attributes']['resource'],
  ): void {
    const broken = brokenPolicy(policy);
    const { images } = spec;
    if (broken !== undefined || images === undefined) {
      const message = `failed to compile policy: ${policy.problems[0]?.message ?? ''}`;
      this.#keep(policy, { result: { rule: 'evaluation', status: 'error', message }, images: [] });
      return;
    }
    const gate = passGate(spec, bindings);
    if (gate.outcome === 'unmatched') return;
    if (gate.outcome === 'exempted') {
      this.#keep(policy, { result: gate.result, images: [] });
    } else if (gate.outcome === 'error') {
      const message = `failed to evaluate policy: ${gate.message}`;
      this.#keep(policy, { result: { rule: 'evaluation', status: 'error', message }, images: [] });
    } else {
      const task = { spec, images, resource, bindings, verified: this.#verified };
      this.#keep(policy, evaluateImages(task), images.isRequired);
    }
  }

  #keep(policy: CelPolicy, outcome: ImageOutcome, isRequired = false): void {
    this.#evaluated.push({ policy, ...outcome, isRequired });
  }

  /**
   * Returns the results of the policies that select the object. A policy that passed fails if no policy verified one of
   * its images, unless its verification is not required.
   */
  responses(): readonly ImageResponse[] {
    return this.#evaluated.map(({ policy, result, images, isRequired }) => {
      const problem = isRequired && result.status === 'pass' ? this.#unverified(images) : undefined;
      return {
        policy,
        result: problem === undefined ? result : { status: 'fail', message: problem },
      };
    });
  }

  #unverified(images: readonly string[]): string | undefined {
    for (const image of images) {
      const isVerified = this.#verified.isVerified(image);
      if (isVerified === true) continue;
      return isVerified === false
        ? `image ${image} failed signature or attestation verification`
        : `image ${image} is not verified: no policy performed a signature or attestation check on it`;
    }
    return undefined;
  }
}

/** Whether a spec selects a request; a string is the error of an undecidable match. */
export function selects(
  policy: CelPolicy,
  spec: CelPolicy['specs'][number],
  request: CelRequest,
  { ignoresNamespace }: ImageSetting,
): boolean | string {
  if (ignoresNamespace !== true) return matchesRequest(policy, spec, request);
  return spec.match === undefined ? false : matchesConstraints(spec.match, request);
}
