import type { Value } from '@kubeadmit/cel';
import { kubernetesNumbers } from '@kubeadmit/cel/unstable-internal';
import { resolveYamlScalar, yamlJson } from '@kubeadmit/go';
import { yamlKeyText } from '@kubeadmit/go/unstable-internal';

/** A scalar of a YAML document. */
export interface Scalar {
  readonly text: string;
  /** Whether it is neither quoted nor a block. */
  readonly plain: boolean;
  /** The tag in its long form, without tag when undefined. */
  readonly tag?: string;
}

/** A key of a mapping, or the reason why it cannot be one. */
export type Key = { readonly key: string } | { readonly problem: string };

/** The value of a scalar, or the reason why it has none. */
export type Resolved = { readonly value: Value } | { readonly problem: string };

/**
 * The JSON value of a scalar as kubectl reads it: YAML 1.1 words and numbers of goyaml.v2, then the
 * number that is left after the way through JSON (sigs.k8s.io/yaml), in which `1.0` becomes 1.
 */
export function resolveScalar({ text, plain, tag }: Scalar): Resolved {
  if (tag === undefined && !plain) return { value: text };
  const resolved = resolveYamlScalar(text, tag);
  if ('problem' in resolved) return resolved;
  const json = yamlJson(resolved.value, kubernetesNumbers.parse);
  return 'error' in json ? { problem: json.error } : { value: json.value as Value };
}

/** The string that a scalar is as a key of a mapping (sigs.k8s.io/yaml). */
export function resolveKey({ text, plain, tag }: Scalar): Key {
  if (tag === undefined && !plain) return { key: text };
  const resolved = resolveYamlScalar(text, tag);
  if ('problem' in resolved) return resolved;
  const key = yamlKeyText(resolved.value);
  if (key !== undefined) return { key };
  const type = resolved.value === null ? '%!s(<nil>)' : 'uint64';
  return { problem: `unsupported map key of type: ${type}` };
}
