// Facts about a Kubernetes version
export { type LoadOptions, loadSchemas } from './load.ts';
export type { Schemas } from './types/schemas.ts';
export { knownVersions, newestVersion, UnknownVersionError } from './load.ts';

// Names of kinds and resources
export type { Resource, Subresource } from './names/names.ts';
export {
  equivalentResources,
  findKind,
  findResource,
  findResourceOfKind,
  isNamespaced,
  type KindHome,
  listResources,
  otherVersionsOf,
  preferredVersion,
} from './names/lookup.ts';
export { type Resolution, resolveName } from './names/resolve.ts';

// Objects as the server holds them
export { decode } from './decode/decode.ts';
export type { Decoded, DecodeOptions } from './decode/decoded.ts';
export { convertVersion } from './decode/convert-version.ts';

// CustomResourceDefinitions
export { definitionIssues, withDefinitions } from './definitions/custom-kinds.ts';
export type { DefinitionIssue } from './definitions/definition.ts';
