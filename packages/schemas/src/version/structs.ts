import type { GroupVersionKind } from '@kubeadmit/apimachinery';
import type { StructType } from '../types/type-store.ts';
import type { Schemas } from './schemas.ts';

/** The struct that holds a built-in kind; undefined when the kind is not known or its group/version not loaded. */
export function structOf(schemas: Schemas, kind: GroupVersionKind): StructType | undefined {
  const builtin = schemas.names.kind(kind);
  return builtin && schemas.types.get(builtin.type);
}

/** The struct of a short name such as `core.v1.Container`, as shapes name it. */
export function structNamed(schemas: Schemas, name: string): StructType | undefined {
  return schemas.types.get(name);
}

/** Every built-in kind of the version, those of subresources and lists included. */
export function listKinds(schemas: Schemas): readonly GroupVersionKind[] {
  const { names } = schemas;
  return [...names.groupVersions].flatMap((apiVersion) =>
    [...names.kindsIn(apiVersion).values()].map(({ group, version, kind }) => ({
      group,
      version,
      kind,
    })),
  );
}
