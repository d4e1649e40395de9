// Shared with other packages of kubeadmit; unstable.

// Fields of kinds
export { structSyntax } from './types/struct-syntax.ts';
export { structText } from './types/struct-text.ts';

// Names, as the data has them
export {
  isOf,
  type Lifetime,
  type PackedGroupVersion,
  type PackedKind,
  type PackedResource,
  servedGroups,
  unpackKinds,
  unpackResource,
  usualResource,
  usualSubresource,
} from './names/packed-catalog.ts';

// Decoding
export { metadataError } from './decode/custom.ts';
export {
  withCurrentSchema,
  withCustomDefaults,
  withoutUnknownFields,
} from './decode/custom-defaults.ts';
export { convertBack, hasGoForm, unknownFieldWarnings } from './decode/decode.ts';
export { requireSchemas } from './version/require-schemas.ts';
export { jsonProblem } from './decode/json-problem.ts';
export { internalForm, keepInternalForm } from './decode/internal-form.ts';
export { decodeAll, decodeApiService } from './decode/decode-all.ts';
export { timeProblem } from './decode/time.ts';
export { nilList } from './definitions/normalize.ts';
