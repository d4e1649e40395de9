import type { TypeTable } from '../go-types/shape.ts';

/** The types of Kyverno's policies in CEL (`policies.kyverno.io`), as their definitions have them. */
export const celPolicyTypes: TypeTable = {
  'cel.ValidatingPolicy': [
    ['kind?', 'string'],
    ['apiVersion?', 'string'],
    ['metadata?', 'any:metadata'],
    ['spec', 'cel.ValidatingSpec'],
    ['status?', 'any:status'],
  ],
  'cel.MutatingPolicy': [
    ['kind?', 'string'],
    ['apiVersion?', 'string'],
    ['metadata?', 'any:metadata'],
    ['spec', 'cel.MutatingSpec'],
    ['status?', 'any:status'],
  ],
  'cel.PolicyException': [
    ['kind?', 'string'],
    ['apiVersion?', 'string'],
    ['metadata?', 'any:metadata'],
    ['spec', 'cel.ExceptionSpec'],
  ],
  'cel.ValidatingSpec': [
    ['auditAnnotations?', '[]cel.AuditAnnotation'],
    ['autogen?', 'cel.ValidatingAutogen'],
    ['evaluation?', 'cel.Evaluation'],
    ['failurePolicy?', 'string:FailurePolicy'],
    ['matchConditions?', '[]cel.NamedExpression'],
    ['matchConstraints?', 'cel.Match'],
    ['validationActions?', '[]string:ValidationAction'],
    ['validations?', '[]cel.Validation'],
    ['variables?', '[]cel.NamedExpression'],
    ['webhookConfiguration?', 'cel.WebhookConfiguration'],
  ],
  'cel.MutatingSpec': [
    ['auditAnnotations?', '[]cel.AuditAnnotation'],
    ['autogen?', 'cel.MutatingAutogen'],
    ['evaluation?', 'cel.MutatingEvaluation'],
    ['failurePolicy?', 'string:FailurePolicy'],
    ['matchConditions?', '[]cel.NamedExpression'],
    ['matchConstraints?', 'cel.Match'],
    ['mutations?', '[]cel.Mutation'],
    ['reinvocationPolicy?', 'string'],
    ['targetMatchConditions?', '[]cel.NamedExpression'],
    ['targetMatchConstraints?', 'cel.TargetMatch'],
    ['variables?', '[]cel.NamedExpression'],
    ['webhookConfiguration?', 'cel.WebhookConfiguration'],
  ],
  'cel.ExceptionSpec': [
    ['allowedValues?', '[]string'],
    ['evaluationMode?', 'string'],
    ['expiresAt?', 'string'],
    ['images?', '[]string'],
    ['matchConditions?', '[]cel.NamedExpression'],
    ['policyRefs', '[]cel.PolicyReference'],
    ['properties?', 'map:string'],
    ['reportResult?', 'string:ReportResult'],
  ],
  'cel.AuditAnnotation': [
    ['key', 'string'],
    ['valueExpression', 'string'],
  ],
  'cel.NamedExpression': [
    ['name', 'string'],
    ['expression', 'string'],
  ],
  'cel.Validation': [
    ['expression', 'string'],
    ['message?', 'string'],
    ['messageExpression?', 'string'],
    ['reason?', 'string'],
  ],
  'cel.Mutation': [
    ['patchType', 'string'],
    ['applyConfiguration?', 'cel.Expression'],
    ['jsonPatch?', 'cel.Expression'],
  ],
  'cel.Expression': [['expression?', 'string']],
  'cel.PolicyReference': [
    ['name', 'string'],
    ['kind', 'string:PolicyKind'],
  ],
  'cel.ValidatingAutogen': [
    ['podControllers?', 'cel.PodControllers'],
    ['validatingAdmissionPolicy?', 'cel.Switch'],
  ],
  'cel.MutatingAutogen': [
    ['podControllers?', 'cel.PodControllers'],
    ['mutatingAdmissionPolicy?', 'cel.Switch'],
  ],
  'cel.PodControllers': [['controllers?', '[]string']],
  'cel.Switch': [['enabled?', 'bool']],
  'cel.Evaluation': [
    ['admission?', 'cel.Switch'],
    ['background?', 'cel.Switch'],
    ['mode?', 'string:Mode'],
  ],
  'cel.MutatingEvaluation': [
    ['admission?', 'cel.Switch'],
    ['background?', 'cel.Switch'],
    ['mode?', 'string:Mode'],
    ['mutateExisting?', 'cel.Switch'],
    ['skipBackgroundRequests?', 'bool'],
    ['useServerSideApply?', 'bool'],
  ],
  'cel.WebhookConfiguration': [['timeoutSeconds?', 'int32']],
  'cel.Match': [
    ['excludeResourceRules?', '[]cel.ResourceRule'],
    ['matchPolicy?', 'string:v1.MatchPolicyType'],
    ['namespaceSelector?', 'cel.Selector'],
    ['objectSelector?', 'cel.Selector'],
    ['resourceRules?', '[]cel.ResourceRule'],
  ],
  'cel.TargetMatch': [
    ['excludeResourceRules?', '[]cel.ResourceRule'],
    ['expression?', 'string'],
    ['matchPolicy?', 'string'],
    ['namespaceSelector?', 'cel.Selector'],
    ['objectSelector?', 'cel.Selector'],
    ['resourceRules?', '[]cel.ResourceRule'],
  ],
  'cel.ResourceRule': [
    ['apiGroups?', '[]string'],
    ['apiVersions?', '[]string'],
    ['operations?', '[]string'],
    ['resourceNames?', '[]string'],
    ['resources?', '[]string'],
    ['scope?', 'string'],
  ],
  'cel.Selector': [
    ['matchExpressions?', '[]cel.SelectorRequirement'],
    ['matchLabels?', 'map:string'],
  ],
  'cel.SelectorRequirement': [
    ['key', 'string'],
    ['operator', 'string'],
    ['values?', '[]string'],
  ],
};

/** The operators of conditions that the definitions list. */
export const conditionOperators: readonly string[] = [
  'Equals',
  'NotEquals',
  'In',
  'AnyIn',
  'AllIn',
  'NotIn',
  'AnyNotIn',
  'AllNotIn',
  'GreaterThanOrEquals',
  'GreaterThan',
  'LessThanOrEquals',
  'LessThan',
  'DurationGreaterThanOrEquals',
  'DurationGreaterThan',
  'DurationLessThanOrEquals',
  'DurationLessThan',
];

/** The values that the definitions allow, by the names of their types. */
export const allowedValues: Readonly<Record<string, readonly string[]>> = {
  FailurePolicy: ['Ignore', 'Fail'],
  ReportResult: ['skip', 'pass'],
  ValidationAction: ['Deny', 'Audit', 'Warn'],
  'v1.AdmissionOperation': ['CREATE', 'CONNECT', 'UPDATE', 'DELETE'],
  'v1.ApplyRulesType': ['All', 'One'],
  'v1.ConditionOperator': conditionOperators,
  'v1.FailurePolicyType': ['Ignore', 'Fail'],
  'v1.ForeachOrder': ['Ascending', 'Descending'],
  'v1.ImageRegistryCredentialsProvidersType': ['default', 'amazon', 'azure', 'google', 'github'],
  'v1.ImageVerificationType': ['Cosign', 'SigstoreBundle', 'Notary'],
  'v1.Method': ['GET', 'POST'],
  'v1.ValidationFailureAction': ['audit', 'enforce', 'Audit', 'Enforce'],
  'v2.ConditionOperator': conditionOperators,
  'api.Level': ['privileged', 'baseline', 'restricted'],
};

/** Fields whose values the definitions list, though other fields of their types are free. */
export const allowedFieldValues: Readonly<Record<string, readonly string[]>> = {
  'v1.Validation.failureAction': ['Audit', 'Enforce'],
  'v1.ImageVerification.failureAction': ['Audit', 'Enforce'],
};

/** The fields that the definitions require, by type; in the other types none is. */
export const requiredFields: Readonly<Record<string, readonly string[]>> = {
  'v1.ClusterPolicy': ['spec'],
  'v1.Policy': ['spec'],
  'v1.Rule': ['match', 'name'],
  'v1.MatchCondition': ['expression', 'name'],
  'v1.ContextEntry': ['name'],
  'v1.RequestData': ['key', 'value'],
  'v1.ServiceCall': ['url'],
  'v1.HTTPHeader': ['key', 'value'],
  'v1.ConfigMapReference': ['name'],
  'v1.GlobalContextEntryReference': ['name'],
  'v1.ImageRegistry': ['reference'],
  'v1.LabelSelectorRequirement': ['key', 'operator'],
  'v1.Subject': ['kind', 'name'],
  'v1.ImageExtractorConfig': ['path'],
  'v1.AuditAnnotation': ['key', 'valueExpression'],
  'v1.SecretReference': ['name', 'namespace'],
  'v1.PodSecurityStandard': ['controlName'],
  'v2.PolicyException': ['spec'],
  'v2.PolicyExceptionSpec': ['exceptions', 'match'],
  'v2.Exception': ['policyName', 'ruleNames'],
  'cel.ValidatingPolicy': ['spec'],
  'cel.MutatingPolicy': ['spec'],
  'cel.PolicyException': ['spec'],
  'cel.ExceptionSpec': ['policyRefs'],
  'cel.AuditAnnotation': ['key', 'valueExpression'],
  'cel.NamedExpression': ['expression', 'name'],
  'cel.Validation': ['expression'],
  'cel.Mutation': ['patchType'],
  'cel.PolicyReference': ['kind', 'name'],
  'cel.SelectorRequirement': ['key', 'operator'],
};

const older = ['v1', 'v2beta1'];
const newer = ['v1', 'v1beta1', 'v1alpha1'];
const namespaced = ['v1', 'v1beta1'];

/** The versions that Kyverno's definitions serve, by group and kind, the newest first (`config/crds` of Kyverno 1.19). */
export const servedVersions: Readonly<Record<string, readonly string[]>> = {
  'kyverno.io/ClusterPolicy': older,
  'kyverno.io/Policy': older,
  'kyverno.io/PolicyException': ['v2', 'v2beta1'],
  'policies.kyverno.io/ValidatingPolicy': newer,
  'policies.kyverno.io/MutatingPolicy': newer,
  'policies.kyverno.io/PolicyException': newer,
  'policies.kyverno.io/NamespacedValidatingPolicy': namespaced,
  'policies.kyverno.io/NamespacedMutatingPolicy': namespaced,
};
