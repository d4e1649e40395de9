import { CelError, type Library, type Value } from '@kubeadmit/cel';
import { functionsNamed } from './declare.ts';

/** The implementation of the functions, for one policy and one request. */
export interface ImageVerification {
  readonly verifySignatures: (image: string, attestors: Value) => Value;
  readonly verifyAttestations: (image: string, attestation: string, attestors: Value) => Value;
  readonly extractPayload: (image: string, attestation: string) => Value;
}

// The functions have no receiver that could carry the request. INVARIANT: evaluation is synchronous, so that the
// verification in use is always that of the expression which calls a function.
let current: ImageVerification | undefined;

/** Evaluates expressions with functions for their policy and request. */
export function withImageVerification<Result>(
  verification: ImageVerification,
  work: () => Result,
): Result {
  const before = current;
  current = verification;
  try {
    return work();
  } finally {
    current = before;
  }
}

function ask(call: (verification: ImageVerification) => Value): Value {
  return current === undefined ? new CelError('images cannot be verified here') : call(current);
}

/**
 * The verification of images (Kyverno's `kyverno.imageverify`):
 * `verifyImageSignatures(image, [attestors.release]) > 0`.
 */
export const imageVerifyLibrary: Library = {
  name: 'kyverno.imageverify',
  functions: functionsNamed([
    [
      'verifyImageSignatures',
      'verify_image_signature_string_stringarray',
      '(string, list<dyn>) -> int',
      (image: string, attestors: Value) => ask((given) => given.verifySignatures(image, attestors)),
    ],
    [
      'verifyAttestationSignatures',
      'verify_image_attestations_string_string_stringarray',
      '(string, string, list<dyn>) -> int',
      (image: string, name: string, attestors: Value) =>
        ask((given) => given.verifyAttestations(image, name, attestors)),
    ],
    [
      'getImageData',
      'get_image_data_string',
      '(string) -> dyn',
      // Kyverno cannot convert the data to a value of CEL.
      () => new CelError('unsupported conversion to ref.Val: (imagedataloader.ImageData)'),
    ],
    [
      'extractPayload',
      'payload_string_string',
      '(string, string) -> dyn',
      (image: string, name: string) => ask((given) => given.extractPayload(image, name)),
    ],
  ]),
};
