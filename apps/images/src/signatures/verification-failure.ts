/** Why a signature or attestation is not accepted; the text is cosign's where cosign has one. */
export class VerificationFailure extends Error {}
