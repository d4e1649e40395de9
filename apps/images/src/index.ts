// Recorded images
export { ImageLayout } from './registry/layout.ts';
export { RegistryError } from './registry/registry.ts';
// Verification
export { makeImageVerifier } from './image-verifier.ts';
