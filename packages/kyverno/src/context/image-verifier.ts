/** The answer of a source: data or an error. */
export type SourceAnswer = { readonly data: unknown } | { readonly error: string };

/** The form of the signatures that a rule or an attestor expects. */
export type SignatureType = 'Cosign' | 'SigstoreBundle' | 'Notary';

/** The requirements on a signature or an attestation of an image; an empty string sets no requirement. */
export interface SignatureCheck {
  /** The name of the image, as Kyverno writes it: `registry/path:tag` or `registry/path@digest`. */
  readonly image: string;
  /** The form of the signatures. */
  readonly type: SignatureType;
  /** A public key as PEM, or a reference to one (`k8s://namespace/name`, a KMS). */
  readonly key: string;
  /** The hash of signatures by the key: `sha224`, `sha256`, `sha384`, `sha512`, or empty for `sha256`. */
  readonly signatureAlgorithm: string;
  /** The certificate that signs, as PEM or PEM in base64. */
  readonly certificate: string;
  /** The chain of the certificate as PEM, or the roots where there is no certificate. */
  readonly certificateChain: string;
  /** Trusted roots as PEM; without them, those of the trust root. */
  readonly roots: string;
  /** Subject of the certificate, which may contain wildcards. */
  readonly subject: string;
  /** A regular expression of the subject. */
  readonly subjectRegExp: string;
  /** OIDC issuer of the certificate, which may contain wildcards. */
  readonly issuer: string;
  /** A regular expression of the issuer. */
  readonly issuerRegExp: string;
  /** Extensions of the certificate, by name or object identifier. */
  readonly additionalExtensions: Readonly<Record<string, string>>;
  /** Annotations of the signed payload. */
  readonly annotations: Readonly<Record<string, string>>;
  /** The repository of the signatures, if it is not that of the image. */
  readonly repository: string;
  /** Whether signatures are referrers of the image (`cosignOCI11`). */
  readonly usesReferrers: boolean;
  /** Whether an entry in a transparency log is optional (`ignoreTlog`). */
  readonly ignoresLog: boolean;
  /** The public key of the transparency log as PEM; without it, those of the trust root. */
  readonly logKey: string;
  /** Whether a certificate needs no timestamp of a certificate transparency log (`ignoreSCT`). */
  readonly ignoresTimestamp: boolean;
  /** The public key of the certificate transparency log as PEM; without it, those of the trust root. */
  readonly timestampKey: string;
  /** The certificate chain of a timestamp authority as PEM. */
  readonly timestampChain: string;
  /** The type of the statements in attestations. */
  readonly predicateType: string;
}

/** An identity in certificates; an empty string sets no requirement. */
export interface SignerIdentity {
  /** OIDC issuer of the certificate. */
  readonly issuer: string;
  /** A regular expression of the issuer, which replaces `issuer`. */
  readonly issuerRegExp: string;
  /** Subject of the certificate. */
  readonly subject: string;
  /** A regular expression of the subject, which replaces `subject`. */
  readonly subjectRegExp: string;
}

/** The signer that an attestor of an ImageValidatingPolicy expects. */
export type CosignSigner =
  /** A certificate of Fulcio with one of some identities. */
  | { readonly kind: 'keyless'; readonly identities: readonly SignerIdentity[] }
  /** `pem` is a public key; `kms` the reference to one in a key management system. */
  | {
      readonly kind: 'key';
      readonly pem: string;
      readonly kms: string;
      readonly hashAlgorithm: string;
    }
  /** Both in PEM; without a certificate, `chain` contains the trusted roots. */
  | { readonly kind: 'certificate'; readonly certificate: string; readonly chain: string };

/** The requirements of a cosign attestor of an ImageValidatingPolicy; an empty string sets none. */
export interface CosignCheck {
  /** The name of the image. */
  readonly image: string;
  /** The expected signer; undefined for an attestor that names none, which accepts nothing. */
  readonly signer: CosignSigner | undefined;
  /** The repository of the signatures, if it is not that of the image. */
  readonly repository: string;
  /** The prefix of the tags of signatures. */
  readonly tagPrefix: string;
  /** Annotations of the layer with the signature. */
  readonly annotations: Readonly<Record<string, string>>;
  /** The settings of transparency logs; undefined if the attestor has none. */
  readonly log: CosignLog | undefined;
  /** The trust root of Sigstore as JSON; without it, that of the verifier. */
  readonly trustedRoot: string;
}

/** The `ctlog` of an attestor. */
export interface CosignLog {
  /** The address of the log. */
  readonly url: string;
  /** The public key of the log as PEM. */
  readonly logKey: string;
  /** The public key of the certificate transparency log as PEM. */
  readonly timestampKey: string;
  /** The certificate chain of a timestamp authority as PEM. */
  readonly timestampChain: string;
  /** Whether an entry in a transparency log is optional. */
  readonly ignoresLog: boolean;
  /** Whether a certificate needs no timestamp of a certificate transparency log. */
  readonly ignoresTimestamp: boolean;
}

/** A verified attestation of an ImageValidatingPolicy. */
export interface AttestedPayload {
  /** The type of the predicate. */
  readonly type: string;
  /** The statement. */
  readonly payload: unknown;
}

/** Why an image could not be verified. */
export interface VerificationError {
  /** The message of Kyverno. */
  readonly error: string;
  /** Whether the data of the image are missing, which is an error of the rule and not a failure. */
  readonly isUnavailable?: boolean;
}

/** The digest of a signed image. */
export interface VerifiedImage {
  /** The digest of the image, `sha256:…`; empty if the signature says none. */
  readonly digest: string;
}

/** Verified attestations: statements of in-toto, with their `predicateType` as `type` too. */
export interface VerifiedAttestations extends VerifiedImage {
  /** The statements, in the order of the attestations. */
  readonly statements: readonly Readonly<Record<string, unknown>>[];
}

/**
 * Verifies signatures and attestations of images. Programs provide it, because it requires cryptography and the data
 * of registries.
 */
export interface ImageVerifier {
  /** Verifies that an image has a signature. */
  readonly verifySignature: (check: SignatureCheck) => VerifiedImage | VerificationError;
  /** Returns the verified attestations of an image. */
  readonly fetchAttestations: (check: SignatureCheck) => VerifiedAttestations | VerificationError;
  /** Verifies that an image has a signature that a cosign attestor accepts; undefined if it has. */
  readonly verifyCosign: (check: CosignCheck) => VerificationError | undefined;
  /** Returns the last attestation of a type that a cosign attestor accepts. */
  readonly fetchAttested: (
    check: CosignCheck,
    predicateType: string,
  ) => AttestedPayload | VerificationError;
  /** Returns the JSON content of the first artifact of a type that refers to an image. */
  readonly referrerOf: (image: string, artifactType: string) => SourceAnswer;
  /** Returns the digest of an image by its name. */
  readonly digestOf: (image: string) => VerifiedImage | VerificationError;
  /** Returns the data of an image for expressions in CEL (`image.getMetadata`); absent without any data. */
  readonly dataOf?: ((image: string) => SourceAnswer) | undefined;
  /** Returns the metadata of an image for `imageRegistry` entries; absent without any data. */
  readonly metadataOf?: ((image: string) => SourceAnswer) | undefined;
}
