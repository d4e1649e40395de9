import { member } from '@kubeadmit/apimachinery';
import { Manifest } from '@kubeadmit/manifest';

/** The effect of a failed validation under an automatic binding. */
export type BindingAction = 'Deny' | 'Warn' | 'Audit';

/**
 * Makes a binding for a policy, as `bindings: auto` and `--bind` do: the policy acts everywhere, with all of its
 * parameters.
 */
export function automaticBinding(policy: Manifest, action: BindingAction = 'Deny'): Manifest {
  const { apiVersion, kind, name, object, origin, path } = policy;
  const hasParameters = member(member(object, 'spec'), 'paramKind') !== undefined;
  const spec = {
    policyName: name,
    ...(kind === 'ValidatingAdmissionPolicy' ? { validationActions: [action] } : {}),
    ...(hasParameters ? { paramRef: { selector: {}, parameterNotFoundAction: 'Deny' } } : {}),
  };
  const binding = { apiVersion, kind: `${kind}Binding`, metadata: { name }, spec };
  return new Manifest(binding, origin, path);
}
