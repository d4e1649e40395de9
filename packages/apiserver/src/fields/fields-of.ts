import {
  deduceType,
  elementOf,
  type FieldSet,
  FieldSetBuilder,
  memberType,
} from '@kubeadmit/admission/managed-fields';
import { isPlainObject } from '@kubeadmit/base';
import type { MergeType } from '@kubeadmit/schemas/merge';

/** The fields that a value sets (structured-merge-diff `TypedValue.ToFieldSet`). */
export function fieldsOf(value: unknown, type: MergeType): FieldSet {
  const builder = new FieldSetBuilder();
  visit(value, type, { path: [], builder });
  return builder.build();
}

interface Place {
  readonly path: readonly string[];
  readonly builder: FieldSetBuilder;
}

function visit(value: unknown, type: MergeType, { path, builder }: Place): void {
  const { map, list } = deduceType(type, value);
  if (map !== undefined && (isPlainObject(value) || value === null)) {
    if (map.atomic) builder.insert(path);
    else if (value !== null) {
      for (const [name, member] of Object.entries(value)) {
        const below = [...path, `f:${name}`];
        visit(member, memberType(map, name), { path: below, builder });
        const isEmpty =
          member === null || (isPlainObject(member) && Object.keys(member).length === 0);
        if (isEmpty || map.field(name) === undefined) builder.insert(below);
      }
    }
  } else if (list !== undefined && (Array.isArray(value) || value === null)) {
    if (list.atomic) builder.insert(path);
    else {
      for (const element of (value ?? []) as readonly unknown[]) {
        const key = elementOf(list, element);
        if (key === undefined) continue;
        const below = [...path, key];
        visit(element, list.element, { path: below, builder });
        builder.insert(below);
      }
    }
  } else builder.insert(path);
}
