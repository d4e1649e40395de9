import { compareText } from '@kubeadmit/go/internal';
import type { MergeType } from '@kubeadmit/schemas/internal';
import { isList, isObject, type PatchValue } from './patch-value.ts';

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
