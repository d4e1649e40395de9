import { kyvernoRole } from '@kubeadmit/chain/kyverno';
import type { Manifest } from '@kubeadmit/manifest';

/** Whether a manifest is a policy, a binding or an exception. */
export function isActing(manifest: Manifest): boolean {
  return kyvernoRole(manifest) !== undefined || isNative(manifest);
}

/** Whether a manifest is a native policy or binding. */
export function isNative({ group, kind }: Manifest): boolean {
  return (
    group === 'admissionregistration.k8s.io' &&
    /^(?:Validating|Mutating)AdmissionPolicy(?:Binding)?$/.test(kind)
  );
}
