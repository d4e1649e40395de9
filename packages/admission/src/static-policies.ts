// Policies and configuration that a server reads from its own disk.

export { decodeConfiguration } from './decode-configuration.ts';
export {
  readStaticManifests,
  type StaticKind,
  type StaticManifest,
  type StaticOptions,
  type StaticPolicies,
  type StaticProblem,
} from './static-manifests.ts';
