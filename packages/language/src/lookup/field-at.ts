import type { Type } from '@kubeadmit/cel';
import type { FieldInfo } from '../fields/field-info.ts';
import type { ObjectView } from '../policy/object-view.ts';
import type { ServiceContext } from '../service/service-context.ts';

/** A position of an object: its type, and the field whose value it is. */
export interface TypedPlace {
  readonly type: Type;
  readonly field: FieldInfo | undefined;
}

/** The type of an object's value at a path; `undefined` where nothing is known of it. */
export function typeAt(
  { types }: ServiceContext,
  { part, group, version, kind }: Pick<ObjectView, 'part' | 'group' | 'version' | 'kind'>,
  path: readonly (string | number)[],
): TypedPlace | undefined {
  const suite = isSuiteName(part.source.name) ? types.suite : undefined;
  let type = suite ?? types.rootOf({ group, version, kind });
  let field: FieldInfo | undefined;
  for (const step of path) {
    if (type === undefined) return undefined;
    if (typeof step === 'number') {
      if (type.kind !== 'list') return undefined;
      type = type.parameters[0];
    } else if (type.kind === 'struct') {
      field = types.fieldsOf(type.name)?.get(step);
      type = field?.type;
    } else if (type.kind === 'map') {
      field = undefined;
      type = type.parameters[1];
    } else return undefined;
  }
  return type && { type, field };
}

/** Whether a file holds suites of tests. */
export function isSuiteName(name: string): boolean {
  return /\.admit\.ya?ml$/.test(name);
}
