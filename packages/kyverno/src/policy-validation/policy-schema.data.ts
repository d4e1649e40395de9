/**
 * The types of Kyverno's policies in CEL (`policies.kyverno.io`) as their definitions have them, in the form of the
 * tables of Kubernetes' types.
 */
export const celPolicyTypes: string = `ValidatingPolicy {"fields":[["kind","string,omitempty"],["apiVersion","string,omitempty"],["metadata","meta.v1.ObjectMeta,omitempty"],["spec","cel.ValidatingSpec"],["status","free,omitempty"]]}
MutatingPolicy {"fields":[["kind","string,omitempty"],["apiVersion","string,omitempty"],["metadata","meta.v1.ObjectMeta,omitempty"],["spec","cel.MutatingSpec"],["status","free,omitempty"]]}
GeneratingPolicy {"fields":[["kind","string,omitempty"],["apiVersion","string,omitempty"],["metadata","meta.v1.ObjectMeta,omitempty"],["spec","cel.GeneratingSpec"],["status","free,omitempty"]]}
DeletingPolicy {"fields":[["kind","string,omitempty"],["apiVersion","string,omitempty"],["metadata","meta.v1.ObjectMeta,omitempty"],["spec","cel.DeletingSpec"],["status","free,omitempty"]]}
ImageValidatingPolicy {"fields":[["kind","string,omitempty"],["apiVersion","string,omitempty"],["metadata","meta.v1.ObjectMeta,omitempty"],["spec","cel.ImageValidatingSpec"],["status","free,omitempty"]]}
PolicyException {"fields":[["kind","string,omitempty"],["apiVersion","string,omitempty"],["metadata","meta.v1.ObjectMeta,omitempty"],["spec","cel.ExceptionSpec"]]}
ValidatingSpec {"fields":[["auditAnnotations","[]cel.AuditAnnotation,omitempty"],["autogen","cel.ValidatingAutogen,omitempty"],["evaluation","cel.Evaluation,omitempty"],["failurePolicy","string,omitempty",{"go":"v1.FailurePolicyType"}],["matchConditions","[]cel.NamedExpression,omitempty"],["matchConstraints","cel.Match,omitempty"],["validationActions","[]string,omitempty",{"go":"[]v1.ValidationAction"}],["validations","[]cel.Validation,omitempty"],["variables","[]cel.NamedExpression,omitempty"],["webhookConfiguration","cel.WebhookConfiguration,omitempty"]]}
MutatingSpec {"fields":[["auditAnnotations","[]cel.AuditAnnotation,omitempty"],["autogen","cel.MutatingAutogen,omitempty"],["evaluation","cel.MutatingEvaluation,omitempty"],["failurePolicy","string,omitempty",{"go":"v1.FailurePolicyType"}],["matchConditions","[]cel.NamedExpression,omitempty"],["matchConstraints","cel.Match,omitempty"],["mutations","[]cel.Mutation,omitempty"],["reinvocationPolicy","string,omitempty"],["targetMatchConditions","[]cel.NamedExpression,omitempty"],["targetMatchConstraints","cel.TargetMatch,omitempty"],["variables","[]cel.NamedExpression,omitempty"],["webhookConfiguration","cel.WebhookConfiguration,omitempty"]]}
GeneratingSpec {"fields":[["auditAnnotations","[]cel.AuditAnnotation,omitempty"],["evaluation","cel.GeneratingEvaluation,omitempty"],["generate","[]cel.Generation"],["matchConditions","[]cel.NamedExpression,omitempty"],["matchConstraints","cel.Match,omitempty"],["useServerSideApply","bool,omitempty"],["variables","[]cel.NamedExpression,omitempty"],["webhookConfiguration","cel.WebhookConfiguration,omitempty"]]}
DeletingSpec {"fields":[["conditions","[]cel.NamedExpression,omitempty"],["deletionPropagationPolicy","string,omitempty"],["matchConstraints","cel.Match,omitempty"],["schedule","string"],["variables","[]cel.NamedExpression,omitempty"]]}
ExceptionSpec {"fields":[["allowedValues","[]string,omitempty"],["evaluationMode","string,omitempty"],["expiresAt","string,omitempty"],["images","[]string,omitempty"],["matchConditions","[]cel.NamedExpression,omitempty"],["policyRefs","[]cel.PolicyReference"],["properties","{}string,omitempty"],["reportResult","string,omitempty",{"go":"ReportResult"}]]}
ImageValidatingSpec {"fields":[["attestations","[]cel.Attestation,omitempty"],["attestors","[]cel.Attestor"],["auditAnnotations","[]cel.AuditAnnotation,omitempty"],["autogen","cel.ImageAutogen,omitempty"],["credentials","cel.Credentials,omitempty"],["evaluation","cel.Evaluation,omitempty"],["failurePolicy","string,omitempty",{"go":"v1.FailurePolicyType"}],["images","[]cel.NamedExpression,omitempty"],["matchConditions","[]cel.NamedExpression,omitempty"],["matchConstraints","cel.Match,omitempty"],["matchImageReferences","[]cel.ImageReference,omitempty"],["validationActions","[]string,omitempty",{"go":"[]v1.ValidationAction"}],["validationConfigurations","cel.ImageConfigurations,omitempty"],["validations","[]cel.Validation"],["variables","[]cel.NamedExpression,omitempty"],["webhookConfiguration","cel.WebhookConfiguration,omitempty"]]}
Attestation {"fields":[["intoto","cel.AttestationType,omitempty"],["name","string"],["referrer","cel.AttestationType,omitempty"]]}
AttestationType {"fields":[["type","string"]]}
Attestor {"fields":[["cosign","cel.Cosign,omitempty"],["name","string"],["notary","cel.Notary,omitempty"]]}
Cosign {"fields":[["annotations","{}string,omitempty"],["certificate","cel.CosignCertificate,omitempty"],["ctlog","cel.TransparencyLog,omitempty"],["key","cel.CosignKey,omitempty"],["keyless","cel.Keyless,omitempty"],["source","cel.CosignSource,omitempty"],["trustedRoot","cel.StringOrExpression,omitempty"],["tuf","cel.Tuf,omitempty"]]}
CosignCertificate {"fields":[["cert","cel.StringOrExpression,omitempty"],["certChain","cel.StringOrExpression,omitempty"]]}
StringOrExpression {"fields":[["expression","string,omitempty"],["value","string,omitempty"]]}
TransparencyLog {"fields":[["ctLogPubKey","string,omitempty"],["insecureIgnoreSCT","bool,omitempty"],["insecureIgnoreTlog","bool,omitempty"],["rekorPubKey","string,omitempty"],["tsaCertChain","string,omitempty"],["url","string,omitempty"]]}
CosignKey {"fields":[["data","string,omitempty"],["expression","string,omitempty"],["hashAlgorithm","string,omitempty"],["kms","string,omitempty"]]}
Keyless {"fields":[["additionalExtensions","{}string,omitempty"],["identities","[]cel.Identity"],["roots","string,omitempty"]]}
Identity {"fields":[["issuer","string,omitempty"],["issuerRegExp","string,omitempty"],["subject","string,omitempty"],["subjectExpression","string,omitempty"],["subjectRegExp","string,omitempty"]]}
CosignSource {"fields":[["PullSecrets","[]cel.PullSecret,omitempty"],["repository","string,omitempty"],["tagPrefix","string,omitempty"]]}
PullSecret {"fields":[["name","string,omitempty"]]}
Tuf {"fields":[["mirror","string,omitempty"],["root","cel.TufRoot,omitempty"]]}
TufRoot {"fields":[["data","string,omitempty"],["path","string,omitempty"]]}
Notary {"fields":[["certs","cel.StringOrExpression,omitempty"],["tsaCerts","cel.StringOrExpression,omitempty"]]}
ImageAutogen {"fields":[["podControllers","cel.PodControllers,omitempty"]]}
Credentials {"fields":[["allowInsecureRegistry","bool,omitempty"],["providers","[]string,omitempty",{"go":"[]v1.ImageRegistryCredentialsProvidersType"}],["secrets","[]string,omitempty"]]}
ImageReference {"fields":[["expression","string,omitempty"],["glob","string,omitempty"]]}
ImageConfigurations {"fields":[["mutateDigest","bool,omitempty"],["required","bool,omitempty"],["verifyDigest","bool,omitempty"]]}
AuditAnnotation {"fields":[["key","string"],["valueExpression","string"]]}
NamedExpression {"fields":[["name","string"],["expression","string"]]}
Validation {"fields":[["expression","string"],["message","string,omitempty"],["messageExpression","string,omitempty"],["reason","string,omitempty"]]}
Mutation {"fields":[["patchType","string"],["applyConfiguration","cel.Expression,omitempty"],["jsonPatch","cel.Expression,omitempty"]]}
Expression {"fields":[["expression","string,omitempty"]]}
Generation {"fields":[["expression","string,omitempty"],["template","cel.GenerationTemplate,omitempty"]]}
GenerationTemplate {"fields":[["interpolate","string,omitempty"],["value","string"]]}
GeneratingEvaluation {"fields":[["admission","cel.Switch,omitempty"],["generateExisting","cel.Switch,omitempty"],["orphanDownstreamOnPolicyDelete","cel.Switch,omitempty"],["skipBackgroundRequests","bool,omitempty"],["synchronize","cel.Switch,omitempty"]]}
PolicyReference {"fields":[["name","string"],["kind","string",{"go":"PolicyKind"}]]}
ValidatingAutogen {"fields":[["podControllers","cel.PodControllers,omitempty"],["validatingAdmissionPolicy","cel.Switch,omitempty"]]}
MutatingAutogen {"fields":[["podControllers","cel.PodControllers,omitempty"],["mutatingAdmissionPolicy","cel.Switch,omitempty"]]}
PodControllers {"fields":[["controllers","[]string,omitempty"]]}
Switch {"fields":[["enabled","bool,omitempty"]]}
Evaluation {"fields":[["admission","cel.Switch,omitempty"],["background","cel.Switch,omitempty"],["mode","string,omitempty",{"go":"Mode"}]]}
MutatingEvaluation {"fields":[["admission","cel.Switch,omitempty"],["background","cel.Switch,omitempty"],["mode","string,omitempty",{"go":"Mode"}],["mutateExisting","cel.Switch,omitempty"],["skipBackgroundRequests","bool,omitempty"],["useServerSideApply","bool,omitempty"]]}
WebhookConfiguration {"fields":[["timeoutSeconds","int32,omitempty"]]}
Match {"fields":[["excludeResourceRules","[]cel.ResourceRule,omitempty"],["matchPolicy","string,omitempty",{"go":"v1.MatchPolicyType"}],["namespaceSelector","cel.Selector,omitempty"],["objectSelector","cel.Selector,omitempty"],["resourceRules","[]cel.ResourceRule,omitempty"]]}
TargetMatch {"fields":[["excludeResourceRules","[]cel.ResourceRule,omitempty"],["expression","string,omitempty"],["matchPolicy","string,omitempty"],["namespaceSelector","cel.Selector,omitempty"],["objectSelector","cel.Selector,omitempty"],["resourceRules","[]cel.ResourceRule,omitempty"]]}
ResourceRule {"fields":[["apiGroups","[]string,omitempty"],["apiVersions","[]string,omitempty"],["operations","[]string,omitempty"],["resourceNames","[]string,omitempty"],["resources","[]string,omitempty"],["scope","string,omitempty"]]}
Selector {"fields":[["matchExpressions","[]cel.SelectorRequirement,omitempty"],["matchLabels","{}string,omitempty"]]}
SelectorRequirement {"fields":[["key","string"],["operator","string"],["values","[]string,omitempty"]]}`;

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
  ReportResult: ['skip', 'pass'],
  'v1.ValidationAction': ['Deny', 'Audit', 'Warn'],
  'v1.AdmissionOperation': ['CREATE', 'CONNECT', 'UPDATE', 'DELETE'],
  'v1.ApplyRulesType': ['All', 'One'],
  'v1.ConditionOperator': conditionOperators,
  'v1.FailurePolicyType': ['Ignore', 'Fail'],
  'v1.ForeachOrder': ['Ascending', 'Descending'],
  'v1.ImageRegistryCredentialsProvidersType': ['default', 'amazon', 'azure', 'google', 'github'],
  'v1.ImageVerificationType': ['Cosign', 'SigstoreBundle', 'Notary'],
  'v1.Method': ['GET', 'POST'],
  'v1.ValidationFailureAction': ['audit', 'enforce', 'Audit', 'Enforce'],
  'v1.DeletionPropagation': ['Foreground', 'Background', 'Orphan'],
  'v2.ConditionOperator': conditionOperators.filter((each) => each !== 'In' && each !== 'NotIn'),
  'api.Level': ['privileged', 'baseline', 'restricted'],
};

/** The values that the definitions list for a field whose type has no such list. */
export const allowedFieldValues: Readonly<Record<string, readonly string[]>> = {
  'v1.Validation.failureAction': ['Audit', 'Enforce'],
  'v1.ImageVerification.failureAction': ['Audit', 'Enforce'],
  'cel.GenerationTemplate.interpolate': ['none', 'cel'],
  'cel.DeletingSpec.deletionPropagationPolicy': ['Foreground', 'Background', 'Orphan'],
  'v1.PodSecurity.version': [...Array.from({ length: 14 }, (_, at) => `v1.${19 + at}`), 'latest'],
  'v1.PodSecurityStandard.controlName': [
    'HostProcess',
    'Host Namespaces',
    'Privileged Containers',
    'Capabilities',
    'HostPath Volumes',
    'Host Ports',
    'AppArmor',
    'SELinux',
    '/proc Mount Type',
    'Seccomp',
    'Sysctls',
    'Volume Types',
    'Privilege Escalation',
    'Running as Non-root',
    'Running as Non-root user',
  ],
};

/** Fields that the definitions do not allow together, by type. */
export const exclusiveFields: Readonly<Record<string, readonly [string, string]>> = {
  'v1.MatchResources': ['any', 'all'],
  'v2beta1.MatchResources': ['any', 'all'],
  'v1.ResourceDescription': ['name', 'names'],
};

/** Fields of which the definitions want exactly one (`oneOf`), by type. */
export const oneOf: Readonly<Record<string, readonly string[]>> = {
  'v1.ContextEntry': ['configMap', 'apiCall', 'imageRegistry', 'variable', 'globalReference'],
  'v2.GlobalContextEntrySpec': ['kubernetesResource', 'apiCall'],
  'cel.Attestor': ['cosign', 'notary'],
  'cel.StringOrExpression': ['value', 'expression'],
  'cel.ImageReference': ['glob', 'expression'],
};

/** Fields whose strings must be times (`format: date-time`). */
export const timeFields: ReadonlySet<string> = new Set(['cel.ExceptionSpec.expiresAt']);

/** Fields whose strings must be durations (`format: duration`). */
export const durationFields: ReadonlySet<string> = new Set(['v2.ExternalAPICall.refreshInterval']);

/** The greatest length of strings in characters, by field. */
export const longestTexts: Readonly<Record<string, number>> = { 'v1.Rule.name': 63 };

/** The smallest number, by field. */
export const smallestNumbers: Readonly<Record<string, number>> = {
  'v1.AttestorSet.count': 1,
  'v2.ExternalAPICall.retryLimit': 1,
};

/** Lists without duplicates: by the key of their items, or by the items themselves. */
export const uniqueItems: Readonly<Record<string, 'name' | 'item'>> = {
  'cel.ValidatingSpec.matchConditions': 'name',
  'cel.ValidatingSpec.variables': 'name',
  'cel.ValidatingSpec.validationActions': 'item',
  'cel.ImageValidatingSpec.validationActions': 'item',
  'cel.MutatingSpec.matchConditions': 'name',
  'cel.MutatingSpec.targetMatchConditions': 'name',
  'cel.MutatingSpec.variables': 'name',
  'cel.GeneratingSpec.matchConditions': 'name',
  'cel.GeneratingSpec.variables': 'name',
  'cel.DeletingSpec.conditions': 'name',
  'cel.DeletingSpec.variables': 'name',
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
  'admissionregistration.v1.Validation': ['expression'],
  'admissionregistration.v1.Variable': ['expression', 'name'],
  'v2.PolicyException': ['spec'],
  'v2.PolicyExceptionSpec': ['exceptions', 'match'],
  'v2.Exception': ['policyName', 'ruleNames'],
  'v2.CleanupPolicy': ['spec'],
  'v2.ClusterCleanupPolicy': ['spec'],
  'v2.CleanupPolicySpec': ['match', 'schedule'],
  'v2.GlobalContextEntry': ['spec'],
  'v2.GlobalContextEntryProjection': ['jmesPath', 'name'],
  'v2.KubernetesResource': ['resource', 'version'],
  'cel.ValidatingPolicy': ['spec'],
  'cel.MutatingPolicy': ['spec'],
  'cel.GeneratingPolicy': ['spec'],
  'cel.GeneratingSpec': ['generate'],
  'cel.GenerationTemplate': ['value'],
  'cel.DeletingPolicy': ['spec'],
  'cel.DeletingSpec': ['schedule'],
  'cel.ImageValidatingPolicy': ['spec'],
  'cel.ImageValidatingSpec': ['attestors', 'validations'],
  'cel.Attestation': ['name'],
  'cel.AttestationType': ['type'],
  'cel.Attestor': ['name'],
  'cel.Keyless': ['identities'],
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
const second = ['v2', 'v2beta1'];
const newer = ['v1', 'v1beta1', 'v1alpha1'];
const namespaced = ['v1', 'v1beta1'];

/** The versions that Kyverno's definitions serve, by group and kind, the newest first (`config/crds` of Kyverno 1.19). */
export const servedVersions: Readonly<Record<string, readonly string[]>> = {
  'kyverno.io/ClusterPolicy': older,
  'kyverno.io/Policy': older,
  'kyverno.io/PolicyException': second,
  'kyverno.io/CleanupPolicy': second,
  'kyverno.io/ClusterCleanupPolicy': second,
  'kyverno.io/GlobalContextEntry': ['v2', 'v2beta1', 'v2alpha1'],
  'policies.kyverno.io/ValidatingPolicy': newer,
  'policies.kyverno.io/MutatingPolicy': newer,
  'policies.kyverno.io/GeneratingPolicy': newer,
  'policies.kyverno.io/DeletingPolicy': newer,
  'policies.kyverno.io/ImageValidatingPolicy': newer,
  'policies.kyverno.io/PolicyException': newer,
  'policies.kyverno.io/NamespacedValidatingPolicy': namespaced,
  'policies.kyverno.io/NamespacedImageValidatingPolicy': namespaced,
  'policies.kyverno.io/NamespacedMutatingPolicy': namespaced,
  'policies.kyverno.io/NamespacedGeneratingPolicy': namespaced,
  'policies.kyverno.io/NamespacedDeletingPolicy': namespaced,
};
