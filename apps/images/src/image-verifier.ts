import type {
  CosignCheck,
  ImageVerifier,
  SignatureCheck,
  VerificationError,
  VerifiedAttestations,
  VerifiedImage,
} from '@kubeadmit/kyverno';
import { type ImageReference, readImageReference } from '@kubeadmit/kyverno/images';
import { imageData, imageMetadata } from './registry/metadata.ts';
import { referrerContent } from './registry/referrer.ts';
import {
  type Manifest,
  type Registry,
  RegistryError,
  type Repository,
} from './registry/registry.ts';
import { type AttestedImage, fetchAttested, verifyCosign } from './signatures/attestors.ts';
import { verifyBundles } from './signatures/bundles.ts';
import {
  fetchCosignAttestations,
  isVerificationError,
  verifyCosignSignature,
} from './signatures/cosign.ts';
import type { Trust, TrustRoot } from './signatures/trust-root.ts';
import { VerificationFailure } from './signatures/verification-failure.ts';

/** The data and the trust of a verifier. */
export interface VerifierOptions {
  /** The images; without a registry every image is missing. */
  readonly registry?: Registry | undefined;
  /** The trust root of Sigstore. */
  readonly trustRoot?: TrustRoot | undefined;
  /** Returns the time in milliseconds since 1970. */
  readonly clock: () => number;
  /** Returns the error for an image that the registry lacks (default: one that says how to record it). */
  readonly missingImage?: (image: string) => Error;
}

/** The error for an image that is not in the recorded data, with the command that records it. */
class MissingImage extends RegistryError {
  constructor(image: string) {
    const command = `kubeadmit image-data record ${image} --output FOLDER`;
    super(
      `no data of the image ${image}; record it with \`${command}\` and use --image-data FOLDER`,
    );
  }
}

/** Creates the verifier of images for the policies of Kyverno. */
export function makeImageVerifier({
  registry,
  trustRoot,
  clock,
  missingImage = (image) => new MissingImage(image),
}: VerifierOptions): ImageVerifier {
  const trust = { root: trustRoot, clock };
  const images: Images = { registry, missingImage };
  return {
    verifySignature: (check) =>
      answer(() => verifySignature(findImage(images, check.image), check, trust)),
    fetchAttestations: (check) =>
      answer(() => fetchAttestations(findImage(images, check.image), check, trust)),
    verifyCosign: (check) => {
      const result = answer(() => {
        verifyCosign(attestedImage(images, check), check, trust);
        return {};
      });
      return 'error' in result ? result : undefined;
    },
    fetchAttested: (check, predicateType) =>
      answer(() => fetchAttested(attestedImage(images, check), check, predicateType, trust)),
    referrerOf: (image, artifactType) =>
      answer(() => ({ data: referrerContent(findImage(images, image), artifactType) })),
    digestOf: (image) => answer(() => ({ digest: findImage(images, image).manifest.digest })),
    dataOf: registry && ((image) => dataFrom(images, image, imageData)),
    metadataOf: registry && ((image) => dataFrom(images, image, imageMetadata)),
  };
}

/** Where images are found. */
type Images = Pick<VerifierOptions, 'registry'> & Required<Pick<VerifierOptions, 'missingImage'>>;

function dataFrom(
  images: Images,
  image: string,
  read: (registry: Registry, reference: ImageReference, manifest: Manifest) => unknown,
): SourceAnswer {
  const found = answer(() => {
    const { registry, reference, manifest } = findImage(images, image);
    return { data: read(registry, reference, manifest) };
  });
  return 'error' in found ? { error: found.error } : found;
}

type SourceAnswer = ReturnType<NonNullable<ImageVerifier['metadataOf']>>;

interface FoundImage {
  readonly registry: Registry;
  readonly reference: ImageReference;
  readonly manifest: Manifest;
}

function findImage({ registry, missingImage }: Images, image: string): FoundImage {
  const reference = readReference(image);
  const manifest = registry?.manifest(reference);
  if (registry === undefined || manifest === undefined) throw missingImage(image);
  return { registry, reference, manifest };
}

function readReference(image: string): ImageReference {
  const reference = readImageReference(image);
  if (typeof reference === 'string')
    throw new VerificationFailure(`failed to parse image ${image}`);
  return reference;
}

function signatureRepository({ reference }: FoundImage, name: string): Repository {
  if (name === '') return reference;
  const given = readImageReference(name);
  if (typeof given !== 'string') return given;
  throw new VerificationFailure(`failed to parse signature repository ${name}: ${given}`);
}

function verifySignature(image: FoundImage, check: SignatureCheck, trust: Trust): VerifiedImage {
  if (check.type === 'SigstoreBundle') return { digest: bundled(image, check, trust).digest };
  const { registry, manifest } = cosigned(image, check);
  const signatures = signatureRepository(image, check.repository);
  const signed = { registry, digest: manifest.digest, signatures };
  return { digest: verifyCosignSignature(signed, check, trust) };
}

function fetchAttestations(
  image: FoundImage,
  check: SignatureCheck,
  trust: Trust,
): VerifiedAttestations {
  if (check.type === 'SigstoreBundle') return bundled(image, check, trust);
  const { registry, manifest } = cosigned(image, check);
  const signatures = signatureRepository(image, check.repository);
  return fetchCosignAttestations({ registry, digest: manifest.digest, signatures }, check, trust);
}

function bundled(
  { registry, reference, manifest }: FoundImage,
  check: SignatureCheck,
  trust: Trust,
): VerifiedAttestations {
  return verifyBundles({ registry, repository: reference, manifest }, check, trust);
}

function cosigned(image: FoundImage, { type }: SignatureCheck): FoundImage {
  if (type === 'Cosign') return image;
  throw new VerificationFailure(`signatures of the type ${type} are not supported`);
}

function attestedImage(images: Images, { image, repository }: CosignCheck): AttestedImage {
  const found = findImage(images, image);
  return { ...found, signatures: signatureRepository(found, repository) };
}

function answer<Result extends object>(work: () => Result): Result | VerificationError {
  try {
    return work();
  } catch (error) {
    if (!isVerificationError(error)) throw error;
    return { error: error.message, isUnavailable: error instanceof RegistryError };
  }
}
