import { member } from '@kubeadmit/apimachinery';
import { getOrMake } from '@kubeadmit/base';
import type { BindingSpec, PolicySpec } from '@kubeadmit/engine';
import type { Manifest } from '@kubeadmit/manifest';
import { decode, type Schemas } from '@kubeadmit/schemas';

/** Returns the spec of a policy or binding; undefined if it cannot be decoded. */
export type SpecOf = (manifest: Manifest) => (PolicySpec & BindingSpec) | undefined;

/** Decodes each policy and binding once. */
export function specReader(schemas: Schemas): SpecOf {
  const specs = new Map<Manifest, ReturnType<SpecOf>>();
  return (manifest) => getOrMake(specs, manifest, () => decodeSpec(manifest, schemas));
}

function decodeSpec({ object: given }: Manifest, schemas: Schemas): ReturnType<SpecOf> {
  const { object, known } = decode(schemas, given);
  return known ? ((member(object, 'spec') ?? undefined) as PolicySpec & BindingSpec) : undefined;
}
