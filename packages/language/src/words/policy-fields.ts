/**
 * The descriptions of the fields of policies and bindings, by struct and field.
 *
 * Kyverno groups with the same fields share them.
 */
export const policyFieldWords: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ValidatingAdmissionPolicy: {
    spec: 'The rules of the policy and the requests that they apply to.',
    status: 'Written by the server: warnings of its type checker. Leave it out.',
    metadata: 'Name, labels and annotations. Bindings name the policy by `metadata.name`.',
  },
  ValidatingAdmissionPolicyStatus: {
    typeChecking: 'The results of the type checker.',
  },
  TypeChecking: {
    expressionWarnings: 'Expressions with type errors for some of the kinds.',
  },
  ExpressionWarning: {
    fieldRef: 'The path of the expression.',
    warning: 'The type errors, for each kind.',
  },
  Condition: {
    type: 'The type of the condition.',
    status: '`True`, `False` or `Unknown`.',
    lastTransitionTime: 'When the status last changed.',
    reason: 'The reason in one word.',
    message: 'The reason in a sentence.',
    observedGeneration: 'The generation of the object that the status describes.',
  },
  MutatingAdmissionPolicy: {
    spec: 'The changes that the policy makes and the requests that they apply to.',
    metadata: 'Name, labels and annotations. Bindings name the policy by `metadata.name`.',
  },
  ValidatingAdmissionPolicyBinding: {
    spec: 'The policy, the resources, the parameters, and the actions for a failed validation.',
  },
  MutatingAdmissionPolicyBinding: {
    spec: 'The policy, the resources and the parameters.',
  },
  ValidatingAdmissionPolicySpec: {
    paramKind:
      'The kind of the parameter objects that bindings pass to the policy as `params`. Without it, expressions have no `params`.',
    matchConstraints:
      'The requests that the policy matches. A request must match one of `resourceRules` and none of `excludeResourceRules`.',
    validations:
      'Expressions that must be true. All of them are evaluated; each one that is false or fails is reported.',
    failurePolicy:
      'How errors in expressions and missing parameters are handled: `Fail` (default) treats them as a failed validation, `Ignore` ignores them.',
    auditAnnotations: 'Annotations that are added to the audit event of a request.',
    matchConditions:
      'Expressions that must all be true for the policy to be evaluated. Errors in them are handled by `failurePolicy`. At most 64.',
    variables:
      'Named expressions that other expressions use as `variables.NAME`. Each is evaluated on first use, at most once, and can use the variables before it.',
  },
  MutatingAdmissionPolicySpec: {
    paramKind:
      'The kind of the parameter objects that bindings pass to the policy as `params`. Without it, expressions have no `params`.',
    matchConstraints:
      'The requests that the policy matches. A request must match one of `resourceRules` and none of `excludeResourceRules`.',
    mutations: 'The changes, in order: each one sees the result of those before it.',
    failurePolicy:
      'How errors are handled: `Fail` (default) denies the request, `Ignore` skips the policy.',
    matchConditions:
      'Expressions that must all be true for the policy to be applied. Errors in them are handled by `failurePolicy`. At most 64.',
    variables:
      'Named expressions that other expressions use as `variables.NAME`. Each is evaluated on first use, at most once for a request.',
    reinvocationPolicy:
      'Whether the policy is applied again after a later policy changed the object: `Never` or `IfNeeded`. A policy that is applied twice must give the same result as once.',
  },
  ValidatingAdmissionPolicyBindingSpec: {
    policyName:
      'The name of the ValidatingAdmissionPolicy. If it does not exist, the binding has no effect.',
    paramRef:
      "The parameter objects that the policy gets as `params`, of the policy's `paramKind`.",
    matchResources:
      'Limits the requests for this binding: a request must match the policy and the binding.',
    validationActions:
      'The actions for a failed validation: `Deny` denies the request, `Warn` sends a warning to the client, `Audit` adds it to the audit event. `Deny` and `Warn` cannot be combined.',
  },
  MutatingAdmissionPolicyBindingSpec: {
    policyName:
      'The name of the MutatingAdmissionPolicy. If it does not exist, the binding has no effect.',
    paramRef:
      "The parameter objects that the policy gets as `params`, of the policy's `paramKind`.",
    matchResources:
      'Limits the requests for this binding: a request must match the policy and the binding.',
  },
  ValidationRule: {
    rule: 'An expression that must be true for `self`, the value of the schema. It is evaluated for every create and update; one that uses `oldSelf` only for updates.',
    message: 'The message if the rule is false; by default, the rule itself.',
    messageExpression:
      'An expression that returns the message, with the same variables as the rule. A result that is empty or has line breaks is ignored.',
    reason:
      'The kind of error: `FieldValueInvalid` (default), `FieldValueForbidden`, `FieldValueRequired` or `FieldValueDuplicate`.',
    fieldPath:
      'The path of the field that the error names, relative to the schema: `.spec.replicas`.',
    optionalOldSelf:
      'Whether `oldSelf` is optional, so that a rule that uses it is also evaluated for new values.',
  },
  MatchResources: {
    namespaceSelector:
      'Labels that the namespace of the object must have. Cluster-scoped objects always match, except for namespaces, which match by their own labels.',
    objectSelector:
      'Labels that the object or the old object must have. Users can change labels to avoid the policy.',
    resourceRules:
      'The operations and resources that the policy matches; a request must match one of them.',
    excludeResourceRules:
      'Operations and resources that the policy does not match, even if `resourceRules` selects them.',
    matchPolicy:
      '`Equivalent` (default) also matches requests to other versions of a resource and converts their objects; `Exact` matches only the versions in the rules.',
  },
  NamedRuleWithOperations: {
    resourceNames:
      'Names of the objects (default: all). Objects with a generated name have no name yet.',
    operations: '`CREATE`, `UPDATE`, `DELETE`, `CONNECT`, or `*` for all.',
    apiGroups:
      'API groups of the resources; the empty string is the core group, `*` is all groups.',
    apiVersions: 'Versions of the API groups, such as `v1`; `*` is all versions.',
    resources:
      'Plural resource names, such as `pods`. `pods/exec` is a subresource, `pods/*` all subresources of pods, `*` all resources, `*/*` all resources and subresources.',
    scope:
      '`Cluster` for cluster-scoped objects, `Namespaced` for namespaced objects, `*` (default) for both.',
  },
  ParamKind: {
    apiVersion:
      "The group and version of the parameters' kind, such as `v1` or `rules.example.com/v1`.",
    kind: 'The kind of the parameters, such as `ConfigMap`.',
  },
  ParamRef: {
    name: 'The name of the parameter object. Cannot be combined with `selector`.',
    namespace:
      'The namespace of the parameters (default for namespaced kinds: the namespace of the request).',
    selector:
      'Labels of the parameter objects; the policy is evaluated once for each object. Cannot be combined with `name`.',
    parameterNotFoundAction:
      "How missing parameters are handled: `Deny` applies the policy's `failurePolicy`, `Allow` skips the binding.",
  },
  Validation: {
    expression:
      'A CEL expression that must be true. It can use `object`, `oldObject`, `request`, `params`, `namespaceObject`, `authorizer` and `variables`.',
    message: 'The message if the expression is false. Required if the expression has line breaks.',
    reason:
      'The reason in the status of the response, which decides the HTTP code: `Unauthorized` 401, `Forbidden` 403, `Invalid` 422 (default), `RequestEntityTooLarge` 413.',
    messageExpression:
      'An expression that returns the message; it takes precedence over `message`. If it fails or returns an empty string or line breaks, `message` is used.',
  },
  MatchCondition: {
    name: 'The name in messages, metrics and the audit log; unique in the policy.',
    expression: 'A CEL expression that must be true for the policy to be evaluated.',
  },
  Variable: {
    name: 'The name that other expressions use: `variables.NAME`. A CEL identifier, unique in the policy.',
    expression: 'The CEL expression of the variable. It can use the variables before it.',
  },
  AuditAnnotation: {
    key: "The key of the annotation; the policy's name and a slash are added before it.",
    valueExpression: 'An expression that returns the value of the annotation, or null to omit it.',
  },
  Mutation: {
    patchType:
      '`ApplyConfiguration` merges an object, like server-side apply; `JSONPatch` applies a list of operations.',
    applyConfiguration: 'The fields to merge into the object.',
    jsonPatch: 'The operations to apply to the object.',
  },
  ApplyConfiguration: {
    expression:
      'An expression that returns an `Object{…}` with the fields to set. It cannot change atomic lists, maps and structs.',
  },
  JSONPatch: {
    expression:
      'An expression that returns a list of `JSONPatch{op: …, path: …}`. Escape keys in paths with `jsonpatch.escapeKey`.',
  },
  LabelSelector: {
    matchLabels: 'Labels with the values that they must have; all must match.',
    matchExpressions: 'Requirements on labels; all must match.',
  },
  LabelSelectorRequirement: {
    key: 'The key of the label.',
    operator:
      '`In` and `NotIn` compare with `values`; `Exists` and `DoesNotExist` only test whether the label exists.',
    values: 'The values for `In` and `NotIn`; must be empty for the other operators.',
  },
  Subject: {
    kind: '`User`, `Group` or `ServiceAccount`.',
    name: 'The name; wildcards are allowed.',
    namespace: 'The namespace of a service account.',
    apiGroup: '`rbac.authorization.k8s.io` for users and groups.',
  },
  ObjectMeta: {
    name: 'The name, unique for the kind in its namespace.',
    namespace:
      'The namespace of the object. Policies of Kubernetes and their bindings are cluster-scoped.',
    labels: 'Key-value pairs that selectors match.',
    annotations: 'Key-value pairs for people and programs; selectors do not match them.',
    generateName: 'The prefix of a name that the server generates when the object is created.',
  },
};

/** Values that fields of policies may have, by their Go type or by struct and field, each with its meaning. */
export const valueWords: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'v1.FailurePolicyType': {
    Fail: 'An error is treated as a failure.',
    Ignore: 'An error is ignored.',
  },
  'v1.MatchPolicyType': {
    Equivalent: 'Requests to other versions of the resource match as well.',
    Exact: 'Only the versions in the rules match.',
  },
  'v1.ParameterNotFoundActionType': {
    Deny: 'Missing parameters are handled by `failurePolicy`.',
    Allow: 'Without parameters, the binding is skipped.',
  },
  'v1.OperationType': {
    CREATE: 'Objects are created.',
    UPDATE: 'Objects are changed; `oldObject` is the object before the change.',
    DELETE: 'Objects are deleted; `object` is null.',
    CONNECT: 'Connections such as `pods/exec`; `object` contains the options.',
    '*': 'All operations.',
  },
  'v1.ScopeType': {
    '*': 'Namespaced and cluster-scoped objects.',
    Namespaced: 'Namespaced objects.',
    Cluster: 'Cluster-scoped objects.',
  },
  'v1.ValidationAction': {
    Deny: 'The request is denied.',
    Warn: 'The client gets a warning.',
    Audit: 'The failure is added to the audit event.',
  },
  'v1.FieldValueErrorReason': {
    FieldValueInvalid: 'The value is invalid.',
    FieldValueForbidden: 'The value is forbidden.',
    FieldValueRequired: 'A required value is missing.',
    FieldValueDuplicate: 'The value is a duplicate.',
  },
  'v1.StatusReason': {
    Unauthorized: 'HTTP 401.',
    Forbidden: 'HTTP 403.',
    Invalid: 'HTTP 422, the default.',
    RequestEntityTooLarge: 'HTTP 413.',
  },
  'v1.PatchType': {
    ApplyConfiguration: 'Merges an object, like server-side apply.',
    JSONPatch: 'Applies a list of operations.',
  },
  'v1.ReinvocationPolicyType': {
    Never: 'The policy is applied once.',
    IfNeeded: 'The policy is applied again if a later policy changed the object.',
  },
  'v1.LabelSelectorOperator': {
    In: 'The label has one of the values.',
    NotIn: 'The label has none of the values or does not exist.',
    Exists: 'The label exists.',
    DoesNotExist: 'The label does not exist.',
  },
};
