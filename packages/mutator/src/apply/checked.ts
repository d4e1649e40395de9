import { describeValue, hasMembers, requireOptions, requireText } from '@kubeadmit/go/internal';
import type { MergeList, MergeType } from '@kubeadmit/schemas/internal';
import * as keys from './element-key.ts';
import * as atomics from './find-atomics.ts';
import * as merging from './merge-values.ts';
import type { PatchValue } from './patch-value.ts';
import * as validation from './validate-value.ts';

// Variants that check their arguments, for external callers.

/**
 * Computes the key of an element (structured-merge-diff, listItemToPathElement).
 *
 * @throws TypeError if `list` is not a merge type of a list, or the element is missing
 */
export function elementKey(list: MergeList, element: PatchValue): keys.ElementKeyResult {
  if (!hasMembers(list) || !Array.isArray(list['keys'])) {
    throw new TypeError(
      `elementKey takes the \`list\` of a merge type, not ${describeValue(list)}`,
    );
  }
  requireValueOf('elementKey', element);
  return keys.elementKey(list, element);
}

/**
 * Returns the paths of the atomic lists, maps and structs in an apply configuration, which kube-apiserver rejects
 * (apiserver policy/mutating/patch/smd.go). Elements of lists are named by index.
 *
 * Only declared fields are visited, and all elements of lists.
 *
 * @throws TypeError if `type` is not a merge type, or the value is missing
 */
export function findAtomics(value: PatchValue, type: MergeType, path: string = ''): string[] {
  requireValueOf('findAtomics', value);
  requireMergeType('findAtomics', type);
  requireText('findAtomics', path);
  return atomics.findAtomics(value, type, path);
}

/**
 * Merges an apply configuration into an object, both valid for the type (structured-merge-diff, mergingWalker).
 * Pass `undefined` if no object exists.
 *
 * The result shares unmentioned fields with the object, and new fields with the configuration.
 *
 * @throws TypeError if `type` is not a merge type, or the configuration is missing
 */
export function mergeValues(
  live: PatchValue | undefined,
  patch: PatchValue,
  type: MergeType,
): PatchValue {
  if (live !== undefined) requireValueOf('mergeValues', live);
  requireValueOf('mergeValues', patch);
  requireMergeType('mergeValues', type);
  return merging.mergeValues(live, patch, type);
}

/**
 * Validates a value against a type (structured-merge-diff, typed validation).
 *
 * Members are visited in the order of their names; kube-apiserver visits them in random order.
 *
 * @throws TypeError if `type` is not a merge type, the value is missing, or an option is unknown
 */
export function validateValue(
  value: PatchValue,
  type: MergeType,
  options: validation.ValueValidation,
): validation.ValueError[] {
  requireValueOf('validateValue', value);
  requireMergeType('validateValue', type);
  requireOptions('validateValue', options, { allowDuplicates: 'boolean' });
  return validation.validateValue(value, type, options);
}

/**
 * Formats errors: a single one as its message, several as a list (structured-merge-diff, ValidationErrors).
 *
 * @throws TypeError if `errors` is not a list of value errors
 */
export function valueErrorsText(errors: readonly validation.ValueError[]): string {
  const areErrors = Array.isArray(errors) && errors.every(isValueError);
  if (areErrors) return validation.valueErrorsText(errors);
  throw new TypeError(
    `valueErrorsText takes the findings of \`validateValue\`, not ${describeValue(errors)}`,
  );
}

function isValueError(value: unknown): boolean {
  if (!hasMembers(value)) return false;
  return typeof value['path'] === 'string' && typeof value['message'] === 'string';
}

function requireMergeType(call: string, type: unknown): void {
  const isType =
    hasMembers(type) &&
    [type['scalar'], type['list'], type['map']].some((each) => each !== undefined);
  if (isType) return;
  throw new TypeError(`${call} takes how values of a kind merge, not ${describeValue(type)}`);
}

/** JSON has neither functions nor promises, and no value that is not there. */
function requireValueOf(call: string, value: unknown): void {
  const isValue = value !== undefined && typeof value !== 'function' && !(value instanceof Promise);
  if (isValue) return;
  throw new TypeError(`${call} takes a value of JSON, not ${describeValue(value)}`);
}
