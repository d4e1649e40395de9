// Recorded images
export { ImageLayout } from './registry/layout.ts';
// Recording
export { readDockerConfig } from './registry/credentials.ts';
export { ImageRecorder } from './registry/record.ts';
export { RegistryError } from './registry/registry.ts';
export { RemoteRegistry } from './registry/remote.ts';
// Verification
export { makeImageVerifier } from './image-verifier.ts';
export { readTrustRoot } from './signatures/trust-root.ts';
