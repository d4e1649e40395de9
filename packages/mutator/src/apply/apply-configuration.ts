import { type Expected, requireArgument } from '@kubeadmit/base';
import { compareText } from '@kubeadmit/go';
import type { MergeType } from '@kubeadmit/schemas/merge';
import { nilList } from '@kubeadmit/schemas/unstable-internal';
import { fitsType, isAcceptable } from './fits-type.ts';
import { mergeValues } from './merge-values.ts';
import { isList, isObject, memberOf, type PatchObject, type PatchValue } from './patch-value.ts';
import { validateValue, valueErrorsText } from './validate-value.ts';

/** The result of merging an apply configuration. */
export type ApplyResult =
  /** The patched object; unchanged parts are the same objects as before. */
  | { readonly outcome: 'patched'; readonly object: PatchObject }
  /** The configuration was rejected, with kube-apiserver's message. */
  | { readonly outcome: 'error'; readonly message: string };

/** An apply configuration and the object that it is merged into. */
export interface ApplyRequest {
  /** The configuration, without `apiVersion` and `kind`, which are those of the object. */
  readonly patch: PatchObject;
  /** Facts about a patch that is applied repeatedly. This function reads and updates them. */
  readonly facts?: ConfigurationFacts | undefined;
  /** The object to change; it is not modified. */
  readonly object: PatchObject;
  /** How objects of the kind merge; `undefined` when no schema has the kind. */
  readonly type: MergeType | undefined;
  /** The kind in texts: `apps/v1, Kind=Deployment`. */
  readonly kind: string;
  /** Whether the object is decoded, so that its values have the form of their fields. */
  readonly isDecoded?: boolean;
  /** Whether empty list literals become the nil list instead of null, so that later steps still see a list. */
  readonly keepsNilLists?: boolean;
}

/** Facts about an immutable apply configuration, so that they are computed once and not for each object. */
export interface ConfigurationFacts {
  /** The type that it was last found to be valid for. */
  acceptedFor?: MergeType;
  /** Whether it has an empty list literal. */
  hasNilList?: boolean;
}

const applyRequest: Expected = {
  what: 'one object with `patch`, `object`, `type` and `kind`',
  has: 'patch',
};

/**
 * Merges an apply configuration into an object, or rejects it with kube-apiserver's message (apiserver
 * policy/mutating/patch/smd.go). Neither is modified.
 *
 * @throws TypeError if the request is invalid
 */
export function applyConfiguration(request: ApplyRequest): ApplyResult {
  requireArgument('applyConfiguration', request, applyRequest);
  const { patch, facts, object, type, kind, isDecoded = false, keepsNilLists = false } = request;
  if (type === undefined) {
    const why = `no corresponding type for ${kind}`;
    return refuse(`failed to convert patch object to typed object: ${why}`);
  }
  if (facts?.acceptedFor !== type) {
    const refusal = isAcceptable(patch, type) ? undefined : refusalOf(patch, type);
    if (refusal !== undefined) return refuse(refusal);
    if (facts !== undefined) facts.acceptedFor = type;
  }
  if (!fitsType(object, type, isDecoded)) {
    const why = valueErrorsText(validateValue(object, type, { allowDuplicates: true }));
    return refuse(`failed to convert original object to typed object: ${why}`);
  }
  const merged = mergeValues(object, patch, type);
  const isPlain = keepsNilLists || !(facts?.hasNilList ?? hasNilList(patch));
  if (facts !== undefined) facts.hasNilList = !isPlain;
  return {
    outcome: 'patched',
    object: (isPlain ? merged : withoutNilLists(merged, object)) as PatchObject,
  };
}

function refusalOf(patch: PatchObject, type: MergeType): string | undefined {
  const errors = validateValue(patch, type, { allowDuplicates: false });
  if (errors.length > 0) {
    return `failed to convert patch object to typed object: ${valueErrorsText(errors)}`;
  }
  const atomics = findAtomics(patch, type);
  if (atomics.length === 0) return undefined;
  const paths = atomics.join(', ');
  return `invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${paths}`;
}

function refuse(text: string): ApplyResult {
  return { outcome: 'error', message: `error applying patch: ${text}` };
}

function hasNilList(value: PatchValue): boolean {
  if (value === nilList) return true;
  if (isList(value)) return value.some(hasNilList);
  if (!isObject(value)) return false;
  for (const key of Object.keys(value)) if (hasNilList(value[key] ?? null)) return true;
  return false;
}

// The list that is written as null, in a part that the merge changed.
function withoutNilLists(value: PatchValue, live: PatchValue | undefined): PatchValue {
  if (value === nilList) return null;
  if (value === live) return value;
  if (isList(value)) {
    const old = new Set<PatchValue>(isList(live) ? live : []);
    return value.map((element) =>
      old.has(element) ? element : withoutNilLists(element, undefined),
    );
  }
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([key, member]) => {
    const old = isObject(live) ? memberOf(live, key) : undefined;
    return [key, withoutNilLists(member, old)] as const;
  });
  return Object.fromEntries(members);
}

/**
 * Returns the paths of the atomic lists, maps and structs in an apply configuration, which kube-apiserver rejects
 * (apiserver policy/mutating/patch/smd.go). Elements of lists are named by index.
 *
 * Only declared fields are visited, and all elements of lists.
 */
export function findAtomics(value: PatchValue, type: MergeType, path: string = ''): string[] {
  const atomics: string[] = [];
  const { map, list } = type;
  if (isObject(value) && map !== undefined) {
    if (map.atomic) atomics.push(path);
    for (const key of Object.keys(value).sort(compareText)) {
      const field = map.field(key);
      if (field === undefined) continue;
      atomics.push(...findAtomics(value[key] ?? null, field.type, `${path}.${key}`));
    }
  }
  if (isList(value) && list !== undefined) {
    if (list.atomic) atomics.push(path);
    for (const [i, element] of value.entries()) {
      atomics.push(...findAtomics(element, list.element, `${path}[${i}]`));
    }
  }
  return atomics;
}
