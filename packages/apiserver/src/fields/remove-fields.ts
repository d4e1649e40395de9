import {
  deduceType,
  elementOf,
  type FieldNode,
  type FieldSet,
  memberType,
} from '@kubeadmit/admission/managed-fields';
import { isPlainObject, setKey } from '@kubeadmit/base';
import type { MergeType } from '@kubeadmit/schemas/merge';

/**
 * A value without the fields of a set (structured-merge-diff `TypedValue.RemoveItems`); containers that become empty
 * are null.
 */
export function removeFields(value: unknown, fields: FieldSet, type: MergeType): unknown {
  if (fields.size === 0) return value;
  const { map, list } = deduceType(type, value);
  if (Array.isArray(value) && list !== undefined) {
    const kept: unknown[] = [];
    for (const element of value) {
      const node = fields.get(elementOf(list, element) ?? '');
      if (node?.isMember) continue;
      kept.push(node ? removeFields(element, node.children, list.element) : element);
    }
    return kept.length === 0 ? null : kept;
  }
  if (!isPlainObject(value) || map === undefined) return value;
  const kept: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const node = fields.get(`f:${name}`);
    if (node?.isMember) continue;
    setKey(
      kept as never,
      name,
      (node ? removeFields(member, node.children, memberType(map, name)) : member) as never,
    );
  }
  return Object.keys(kept).length === 0 ? null : kept;
}

/** A set whose named fields with something below them are in it themselves (`EnsureNamedFieldsAreMembers`). */
export function withNamedFields(set: FieldSet, type: MergeType): FieldSet {
  const result = new Map<string, FieldNode>();
  for (const [element, { isMember, children }] of set) {
    const name = element.startsWith('f:') ? element.slice(2) : undefined;
    const below =
      name === undefined
        ? (type.list?.element ?? {})
        : type.map === undefined
          ? {}
          : memberType(type.map, name);
    const isNamed = name !== undefined && type.map?.field(name) !== undefined && children.size > 0;
    result.set(element, {
      isMember: isMember || isNamed,
      children: withNamedFields(children, below),
    });
  }
  return result;
}
