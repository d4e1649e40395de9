import { objectKey } from '@kubeadmit/lint/unstable-internal';
import type { Manifest } from '@kubeadmit/manifest';
import { findResourceOfKind, type Schemas } from '@kubeadmit/schemas';

/** Finds the old objects of updates by group, kind, namespace and name. */
export function oldObjectSource(
  old: readonly Manifest[],
  { namespace, schemas }: { readonly namespace: string; readonly schemas: Schemas },
): (manifest: Manifest) => Manifest['object'] | undefined {
  const keyOf = (manifest: Manifest): string => {
    const { group, version, kind } = manifest;
    const isNamespaced = findResourceOfKind(schemas, { group, version, kind })?.namespaced ?? true;
    const within = isNamespaced ? manifest.namespace || namespace : '';
    return objectKey({ group, kind, namespace: within, name: manifest.name });
  };
  const byKey = new Map(old.map((manifest) => [keyOf(manifest), manifest.object]));
  return (manifest) => byKey.get(keyOf(manifest));
}
