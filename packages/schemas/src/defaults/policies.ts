import { type JsonObject, textOf } from '@kubeadmit/apimachinery';
import {
  type Defaulter,
  type Defaulters,
  fill,
  fillEmpty,
  filling,
  isEmpty,
  struct,
} from './defaulting.ts';

const port = filling({ port: 443 });
const policySpec = filling({ failurePolicy: 'Fail' });
const matchResources = filling({
  matchPolicy: 'Equivalent',
  namespaceSelector: {},
  objectSelector: {},
});
const rbacGroup = 'rbac.authorization.k8s.io';

const webhook: Defaulter = filling({
  failurePolicy: 'Fail',
  matchPolicy: 'Equivalent',
  namespaceSelector: {},
  objectSelector: {},
  timeoutSeconds: 10,
});

const bindingRole: Defaulter = (binding) => {
  fillEmpty(struct(binding, 'roleRef'), { apiGroup: rbacGroup });
};

/** Defaults of policies, webhooks and RBAC (kubernetes, `pkg/apis/<group>/<version>/defaults.go`). */
export const policyDefaults: Defaulters = {
  'admissionregistration.v1.MatchResources': matchResources,
  'admissionregistration.v1.MutatingAdmissionPolicySpec': policySpec,
  'admissionregistration.v1.MutatingWebhook': (object, context) => {
    webhook(object, context);
    fill(object, { reinvocationPolicy: 'Never' });
  },
  'admissionregistration.v1.NamedRuleWithOperations': filling({ scope: '*' }),
  'admissionregistration.v1.RuleWithOperations': filling({ scope: '*' }),
  'admissionregistration.v1.ServiceReference': port,
  'admissionregistration.v1.ValidatingAdmissionPolicySpec': policySpec,
  'admissionregistration.v1.ValidatingWebhook': webhook,
  'admissionregistration.v1alpha1.NamedRuleWithOperations': filling({ scope: '*' }),
  'admissionregistration.v1beta1.NamedRuleWithOperations': filling({ scope: '*' }),
  'admissionregistration.v1beta1.MatchResources': matchResources,
  'admissionregistration.v1beta1.MutatingAdmissionPolicySpec': policySpec,
  'admissionregistration.v1beta1.ValidatingAdmissionPolicySpec': policySpec,
  'admissionregistration.v1alpha1.MatchResources': matchResources,
  'admissionregistration.v1alpha1.MutatingAdmissionPolicySpec': policySpec,
  'admissionregistration.v1alpha1.ParamRef': filling({ parameterNotFoundAction: 'Deny' }),
  'admissionregistration.v1alpha1.ValidatingAdmissionPolicySpec': policySpec,
  'apiextensions.v1.CustomResourceDefinition': definition,
  'apiextensions.v1.ServiceReference': port,
  'apiregistration.v1.ServiceReference': port,
  'rbac.v1.ClusterRoleBinding': bindingRole,
  'rbac.v1.RoleBinding': bindingRole,
  'rbac.v1.Subject': (subject) => {
    if (subject['kind'] === 'User' || subject['kind'] === 'Group') {
      fillEmpty(subject, { apiGroup: rbacGroup });
    }
  },
};

/** apiextensions-apiserver, `pkg/apis/apiextensions/v1/defaults.go`. */
function definition(object: JsonObject): void {
  const spec = struct(object, 'spec');
  const names = struct(spec, 'names');
  const kind = textOf(names['kind']);
  fillEmpty(names, { singular: kind.toLowerCase() });
  if (kind !== '') fillEmpty(names, { listKind: `${kind}List` });
  fill(spec, { conversion: { strategy: 'None' } });
  const status = struct(object, 'status');
  if (!isEmpty(status['storedVersions'])) return;
  const versions = (spec['versions'] as JsonObject[] | undefined) ?? [];
  const stored = versions.find((version) => version['storage'] === true);
  if (stored) status['storedVersions'] = [stored['name'] ?? ''];
}
