// The CEL environment of Kubernetes: its libraries, costs and types.

// The position of an error in an expression
export { errorPlace } from './environment/error-place.ts';
// The types of `request` and `namespaceObject`
export {
  joinStructs,
  namespaceType,
  requestStructs,
  requestType,
} from './environment/request-structs.ts';
export { type CostRule, costRules } from './libraries/costs.ts';
// Libraries and their costs
export { jsonPatchLibrary } from './libraries/json-patch.ts';
export { type VersionedLibrary, versionedLibraries } from './libraries/versioned.ts';
// The types and values of mutations
export {
  JsonPatchValue,
  jsonPatchType,
  ObjectValue,
  objectType,
  patchTypes,
} from './policy/patch-types.ts';
