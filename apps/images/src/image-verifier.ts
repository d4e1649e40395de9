import type {
  ImageVerifier,
  SignatureCheck,
  VerificationError,
  VerifiedImage,
} from '@kubeadmit/kyverno';
import { type ImageReference, readImageReference } from '@kubeadmit/kyverno/internal';
import {
  type Manifest,
  type Registry,
  RegistryError,
  type Repository,
} from './registry/registry.ts';
import {
  isVerificationError,
  type SignedImage,
  verifyCosignSignature,
} from './signatures/cosign.ts';
import { VerificationFailure } from './signatures/verification-failure.ts';

/** Says that an image is not in the recorded data, with the command that records it. */
export class MissingImage extends RegistryError {
  constructor(image: string) {
    const command = `kubeadmit image-data record ${image} --output FOLDER`;
    super(
      `no data of the image ${image}; record it with \`${command}\` and use --image-data FOLDER`,
    );
  }
}

/** Creates the verifier of images for a registry; without one, every image is missing. */
export function makeImageVerifier(registry: Registry | undefined): ImageVerifier {
  return {
    verifySignature: (check) =>
      answer(() => {
        const found = findImage(registry, check.image);
        return { digest: verifySignature(found, signedImage(found, check), check) };
      }),
    fetchAttestations: (check) =>
      answer(() => {
        findImage(registry, check.image);
        throw new VerificationFailure('attestations are not supported');
      }),
    digestOf: (image) => answer(() => ({ digest: findImage(registry, image).manifest.digest })),
    metadataOf: () => ({ error: 'not supported' }),
  };
}

interface FoundImage {
  readonly registry: Registry;
  readonly reference: ImageReference;
  readonly manifest: Manifest;
}

function findImage(registry: Registry | undefined, image: string): FoundImage {
  const reference = readReference(image);
  const manifest = registry?.manifest(reference);
  if (registry === undefined || manifest === undefined) throw new MissingImage(image);
  return { registry, reference, manifest };
}

function readReference(image: string): ImageReference {
  const reference = readImageReference(image);
  if (typeof reference === 'string')
    throw new VerificationFailure(`failed to parse image ${image}`);
  return reference;
}

/** The digest of an image, and the repository of its signatures. */
function signedImage(
  { reference, manifest }: FoundImage,
  { repository }: SignatureCheck,
): SignedImage {
  const signatures = repository === '' ? reference : repositoryOf(repository);
  return { digest: manifest.digest, signatures };
}

function repositoryOf(name: string): Repository {
  const reference = readImageReference(name);
  if (typeof reference !== 'string') return reference;
  throw new VerificationFailure(`failed to parse signature repository ${name}: ${reference}`);
}

function verifySignature(
  { registry }: FoundImage,
  image: SignedImage,
  check: SignatureCheck,
): string {
  if (check.type !== 'Cosign') {
    throw new VerificationFailure(`signatures of the type ${check.type} are not supported`);
  }
  return verifyCosignSignature(registry, image, check);
}

function answer<Result extends VerifiedImage>(work: () => Result): Result | VerificationError {
  try {
    return work();
  } catch (error) {
    if (!isVerificationError(error)) throw error;
    return { error: error.message, isUnavailable: error instanceof RegistryError };
  }
}
