// Recorded images
export { ImageLayout } from './registry/layout.ts';
// Recording
export { ImageRecorder } from './registry/record.ts';
export { maxBlobSize } from './registry/limits.ts';
export { RegistryError } from './registry/registry.ts';
// Registries
export { type FetchResult, ImageStore } from './live/image-store.ts';
export { RequestImages } from './live/request-images.ts';
// Verification
export { makeImageVerifier } from './image-verifier.ts';
export { readTrustRoot } from './signatures/trust-root.ts';
export { VerificationFailure } from './signatures/verification-failure.ts';
