// Apply configurations.
export {
  type ApplyRequest,
  type ApplyResult,
  applyConfiguration,
} from './apply/apply-configuration.ts';
export { configurationOf } from './apply/configuration.ts';
export type { DataForms } from './apply/data-forms.ts';
export { type ElementKeyResult, elementKey } from './apply/element-key.ts';
export { findAtomics } from './apply/apply-configuration.ts';
export { mergeValues } from './apply/merge-values.ts';
export {
  GoValue,
  isList as isPatchList,
  isObject as isPatchObject,
  type PatchObject,
  type PatchValue,
} from './apply/patch-value.ts';
export { type ValueError, validateValue, valueErrorsText } from './apply/validate-value.ts';
// JSON patches.
export { applyJsonPatch } from './json-patch/apply-json-patch.ts';
export { type DiffOperation, diffJson } from './json-patch/diff.ts';
export type { Json, PatchOperation, PatchResult, UnreadableText } from './json-patch/operation.ts';
export { operationsOf } from './json-patch/operations.ts';
