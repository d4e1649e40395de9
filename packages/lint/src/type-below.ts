import type { MergeType } from '@kubeadmit/schemas/internal';

/** The type of a member of a type's objects. */
export function memberType(type: MergeType | undefined, name: string): MergeType | undefined {
  return type?.map?.field(name)?.type ?? type?.map?.element;
}

/** The type of what lies at a path below a type's objects; numbers and `[]` stand for the elements of lists. */
export function typeBelow(
  type: MergeType | undefined,
  steps: readonly (string | number)[],
): MergeType | undefined {
  return steps.reduce<MergeType | undefined>(
    (above, step) =>
      typeof step === 'number' || step === '[]' ? above?.list?.element : memberType(above, step),
    type,
  );
}
