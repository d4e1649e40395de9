import { member } from '@kubeadmit/apimachinery';
import { Manifest } from '@kubeadmit/manifest';

/** The binding of `bindings: auto`: the policy acts everywhere, with all of its parameters, and denies. */
export function automaticBinding(policy: Manifest): Manifest {
  const { apiVersion, kind, name, object, origin, path } = policy;
  const hasParameters = member(member(object, 'spec'), 'paramKind') !== undefined;
  const spec = {
    policyName: name,
    ...(kind === 'ValidatingAdmissionPolicy' ? { validationActions: ['Deny'] } : {}),
    ...(hasParameters ? { paramRef: { selector: {}, parameterNotFoundAction: 'Deny' } } : {}),
  };
  const binding = { apiVersion, kind: `${kind}Binding`, metadata: { name }, spec };
  return new Manifest(binding, origin, path);
}
