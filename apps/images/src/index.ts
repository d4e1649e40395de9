// Recorded images
export { ImageLayout } from './registry/layout.ts';
// Verification
export { makeImageVerifier } from './image-verifier.ts';
export { readTrustRoot } from './signatures/trust-root.ts';
