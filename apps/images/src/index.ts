// Recorded images
export { ImageLayout } from './registry/layout.ts';
// Recording
export { digestOfBytes, requireDigest } from './registry/digest.ts';
export { maxBlobSize, maxManifestSize } from './registry/layout.ts';
export { readManifest } from './registry/manifests.ts';
export { ImageRecorder, type RemoteRegistry } from './registry/record.ts';
export {
  type Descriptor,
  type Manifest,
  RegistryError,
  type Repository,
  repositoryName,
  tagOf,
} from './registry/registry.ts';
// Verification
export { makeImageVerifier } from './image-verifier.ts';
export { readTrustRoot } from './signatures/trust-root.ts';
