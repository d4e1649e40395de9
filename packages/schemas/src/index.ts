// Facts about a Kubernetes version
export { type LoadOptions, loadSchemas } from './load.ts';
export type { Schemas } from './version/schemas.ts';
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
} from './version/lookup.ts';
export { type Resolution, resolveName } from './version/resolve.ts';

// Objects as the server holds them
export { decode } from './decode/decode.ts';
export type { Decoded, DecodeOptions } from './decode/decoded.ts';
export { convertVersion } from './decode/convert-version.ts';

// CustomResourceDefinitions
export { definitionIssues, withDefinitions } from './version/custom-kinds.ts';
export type { DefinitionIssue } from './definitions/definition.ts';
