import type { GivenManifest } from '@kubeadmit/lint';
import { kyvernoRole } from '@kubeadmit/lint/internal';
import type { Manifest } from '@kubeadmit/manifest';
import type { ProblemListener } from './read-inputs.ts';

/** Where the policies of a check come from. */
interface PolicySources {
  /** Whether they are given apart from the objects: with `-p`, or by a cluster. */
  readonly hasTrustedPolicies: boolean;
  /** Whether native policies under `-r` are checked, by policies from the server's own disk. */
  readonly checksPolicies: boolean;
}

/**
 * Returns the inputs without policies, bindings and exceptions under `-r`, if policies are given apart: a pull request
 * could change its own verdict by an exception or a mutation among the manifests. They are reported as skipped.
 */
export function actingInputs(
  given: readonly GivenManifest[],
  { hasTrustedPolicies, checksPolicies }: PolicySources,
  { skip }: ProblemListener,
): readonly GivenManifest[] {
  if (!hasTrustedPolicies) return given;
  return given.filter(({ manifest, role }) => {
    if (role !== 'resources' || !isActing(manifest, checksPolicies)) return true;
    const { file, kind, name } = manifest;
    skip({ file, message: `skipped: ${kind} ${name} does not act under -r; -p makes it act` });
    return false;
  });
}

function isActing(manifest: Manifest, checksPolicies: boolean): boolean {
  if (kyvernoRole(manifest) !== undefined) return true;
  const isNative =
    manifest.group === 'admissionregistration.k8s.io' &&
    /^(?:Validating|Mutating)AdmissionPolicy(?:Binding)?$/.test(manifest.kind);
  return isNative && !checksPolicies;
}
