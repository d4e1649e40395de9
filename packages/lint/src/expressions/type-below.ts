import type { StructuralSchema } from '@kubeadmit/schemas/definitions';
import type { MergeType } from '@kubeadmit/schemas/merge';

/** The type of a member of a type's objects. */
export function memberType(type: MergeType | undefined, name: string): MergeType | undefined {
  return type?.map?.field(name)?.type ?? type?.map?.element;
}

/** The type at a path below objects of a type; numbers and `[]` denote the elements of lists. */
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

/** The same of a schema, `[]` alone for the elements of lists. */
export function schemaBelow(
  root: StructuralSchema | undefined,
  steps: readonly string[],
): StructuralSchema | undefined {
  return steps.reduce((schema, step) => {
    if (step === '[]') return schema?.items;
    const values = schema?.additionalProperties;
    return schema?.properties.get(step) ?? (typeof values === 'object' ? values : undefined);
  }, root);
}

/** The type of a value in objects and lists, by its path. */
export function valueIn(steps: readonly string[], value: unknown): unknown {
  return steps.reduceRight<unknown>(
    (inner, step) => (step === '[]' ? [inner] : { [step]: inner }),
    value,
  );
}
