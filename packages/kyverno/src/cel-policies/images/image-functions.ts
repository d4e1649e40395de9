import { CelError, type Value } from '@kubeadmit/cel';
import { typeOf } from '@kubeadmit/cel/values';
import { toCelValue } from '../../cel/cel-value.ts';
import type { ImageVerifier, VerificationError } from '../../context/image-verifier.ts';
import type { CompiledImages, NamedAttestation } from '../compile-images.ts';
import { AttestorValue } from '../image-attestors.ts';

/** The images that policies verify for one request: a policy that requires verification sees those of all. */
export class VerifiedImages {
  readonly verifier: ImageVerifier | undefined;
  readonly #verified = new Map<string, boolean>();
  /** Payloads of verified attestations by image and type. */
  readonly #payloads = new Map<string, unknown>();

  constructor(verifier: ImageVerifier | undefined) {
    this.verifier = verifier;
  }

  /** Notes the result of a verification; a later failure does not undo a success. */
  note(image: string, isVerified: boolean): void {
    this.#verified.set(image, isVerified || this.#verified.get(image) === true);
  }

  /** Whether an image was verified; undefined if no policy tried. */
  isVerified(image: string): boolean | undefined {
    return this.#verified.get(image);
  }

  /** Keeps the payload of a verified attestation. */
  keepPayload(image: string, type: string, payload: unknown): void {
    this.#payloads.set(`${type}\n${image}`, payload);
  }

  /** Returns the payload of a verified attestation; undefined if there is none of the type. */
  payload(image: string, type: string): unknown {
    return this.#payloads.get(`${type}\n${image}`);
  }
}

/** The functions that verify images, for one policy and one request (Kyverno's `imageverify` library). */
export class ImageFunctions {
  readonly #images: CompiledImages;
  readonly #verified: VerifiedImages;

  constructor(images: CompiledImages, verified: VerifiedImages) {
    this.#images = images;
    this.#verified = verified;
  }

  /** How many of some attestors signed an image. */
  verifySignatures(image: string, list: Value): Value {
    return this.#count(image, list, (verifier, { cosign }) =>
      cosign === undefined ? {} : (verifier.verifyCosign({ ...cosign, image }) ?? {}),
    );
  }

  /** How many of some attestors signed an attestation of an image. */
  verifyAttestations(image: string, name: string, list: Value): Value {
    const attestation = this.#images.attestations.get(name);
    return this.#count(
      image,
      list,
      (verifier, { cosign }) => {
        if (cosign === undefined) return {};
        if (attestation?.form !== 'intoto') {
          return { error: 'cosgin verifier only supports intoto referrers as attestations' };
        }
        const answer = verifier.fetchAttested({ ...cosign, image }, attestation.type);
        if ('error' in answer) return answer;
        this.#verified.keepPayload(image, answer.type, answer.payload);
        return {};
      },
      attestation === undefined ? `attestation not found in policy: ${name}` : undefined,
    );
  }

  /** The payload of an attestation, which has to be verified before if it is a statement. */
  extractPayload(image: string, name: string): Value {
    const attestation = this.#images.attestations.get(name);
    if (attestation === undefined) {
      return new CelError(`attestation not found in policy: ${name}`);
    }
    const missing = missingData(this.#verified.verifier, image);
    if (missing !== undefined) return new CelError(`failed to get imagedata: ${missing}`);
    const found = this.#payloadOf(image, name, attestation);
    return 'error' in found
      ? new CelError(`failed to get payload: ${found.error}`)
      : toCelValue(found.data);
  }

  #payloadOf(
    image: string,
    name: string,
    { form, type }: NamedAttestation,
  ): { readonly data: unknown } | { readonly error: string } {
    if (form === 'none') return { error: `could not find attestation ${name}` };
    if (form === 'referrer') {
      return this.#verified.verifier?.referrerOf(image, type) ?? { error: noVerifier };
    }
    const data = this.#verified.payload(image, type);
    const error = 'intoto attestation payload cannot be fetch before verifying intoto attestation';
    return data === undefined ? { error } : { data };
  }

  #count(
    image: string,
    list: Value,
    verify: (verifier: ImageVerifier, attestor: AttestorValue) => Partial<VerificationError>,
    problem?: string,
  ): Value {
    const attestors = attestorsIn(list);
    if (attestors instanceof CelError) return attestors;
    const matches = matchesAny(this.#images.references, image);
    if (matches instanceof CelError) return matches;
    if (!matches) return 0;
    if (problem !== undefined) return new CelError(problem);
    const { verifier } = this.#verified;
    const missing = missingData(verifier, image);
    if (verifier === undefined || missing !== undefined) {
      return new CelError(`failed to get imagedata: ${missing}`);
    }
    let count = 0;
    for (const attestor of attestors) {
      if (attestor.isNotary) {
        return new CelError(`attestor ${attestor.name}: notary attestors are not supported`);
      }
      if (attestor.cosign === undefined) continue;
      const { error, isUnavailable } = verify(verifier, attestor);
      // Kyverno would fetch the missing data from a network, so every result could be wrong.
      if (isUnavailable === true) return new CelError(`attestor ${attestor.name}: ${error}`);
      if (error === undefined) count++;
    }
    if (attestors.length > 0) this.#verified.note(image, count > 0);
    return count;
  }
}

/** The error of images without a verifier. */
export const noVerifier = 'no verifier of images is given';

/** Why the data of an image are missing; undefined if they are not. */
export function missingData(
  verifier: ImageVerifier | undefined,
  image: string,
): string | undefined {
  if (verifier === undefined) return noVerifier;
  const answer = verifier.digestOf(image);
  return 'error' in answer ? answer.error : undefined;
}

/** Whether an image is selected (Kyverno's `MatchImage`). */
export function matchesAny(
  references: CompiledImages['references'],
  image: string,
): boolean | CelError {
  for (const matches of references) {
    const result = matches(image);
    if (result !== false) return result;
  }
  return references.length === 0;
}

function attestorsIn(list: Value): readonly AttestorValue[] | CelError {
  const values: readonly Value[] = Array.isArray(list) ? list : [];
  const other = values.find((value) => !(value instanceof AttestorValue));
  if (other === undefined) return values as readonly AttestorValue[];
  return new CelError(`unsupported native conversion from ${typeOf(other)} to 'v1alpha1.Attestor'`);
}
