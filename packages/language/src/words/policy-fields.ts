/**
 * What the fields of policies and bindings are for, in our own words, by struct and field. The groups of
 * Kyverno that have the same fields share them.
 */
export const policyFieldWords: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ValidatingAdmissionPolicy: {
    spec: 'What the policy demands of requests, and of which.',
    status: 'What the server writes: warnings of its type checker. Leave it out.',
    metadata: 'Name, labels and annotations. Bindings name the policy by `metadata.name`.',
  },
  ValidatingAdmissionPolicyStatus: {
    typeChecking: 'What the type checker found.',
  },
  TypeChecking: {
    expressionWarnings: 'Expressions that do not fit the types of some kinds.',
  },
  ExpressionWarning: {
    fieldRef: 'The path of the expression.',
    warning: 'What is wrong with it, for each kind.',
  },
  Condition: {
    type: 'What the condition is about.',
    status: '`True`, `False` or `Unknown`.',
    lastTransitionTime: 'When the status changed last.',
    reason: 'Why, in one word.',
    message: 'Why, in a sentence.',
    observedGeneration: 'The generation of the object that this is about.',
  },
  MutatingAdmissionPolicy: {
    spec: 'What the policy changes in requests, and in which.',
    metadata: 'Name, labels and annotations. Bindings name the policy by `metadata.name`.',
  },
  ValidatingAdmissionPolicyBinding: {
    spec: 'Which policy comes into effect, where, with which parameters, and what follows from a failure.',
  },
  MutatingAdmissionPolicyBinding: {
    spec: 'Which policy comes into effect, where, and with which parameters.',
  },
  ValidatingAdmissionPolicySpec: {
    paramKind:
      'The kind of the objects that bindings may give the policy as `params`. Without it there is no `params` in expressions.',
    matchConstraints:
      'Which requests the policy is about. A request has to fit one of `resourceRules` and none of `excludeResourceRules`.',
    validations:
      'Expressions that have to be true. Each is evaluated; every one that is false, or fails, counts.',
    failurePolicy:
      'What happens when the policy cannot be evaluated, because of an error in an expression or of missing parameters: `Fail` (the default) counts it as a failed validation, `Ignore` lets the request pass.',
    auditAnnotations: 'Texts that are written into the audit event of a request.',
    matchConditions:
      "Expressions that all have to be true for the policy to look at a request at all. They see no `variables`' errors as failures of a validation: an error here is handled by `failurePolicy`. At most 64.",
    variables:
      'Named expressions that others use as `variables.NAME`. Each is evaluated when it is first used and at most once, and can use those before it.',
  },
  MutatingAdmissionPolicySpec: {
    paramKind:
      'The kind of the objects that bindings may give the policy as `params`. Without it there is no `params` in expressions.',
    matchConstraints:
      'Which requests the policy is about. A request has to fit one of `resourceRules` and none of `excludeResourceRules`.',
    mutations:
      'The changes, one after the other: each sees what those before it made of the object.',
    failurePolicy:
      'What happens when the policy cannot be evaluated: `Fail` (the default) refuses the request, `Ignore` goes on without the change.',
    matchConditions:
      'Expressions that all have to be true for the policy to change a request at all. An error here is handled by `failurePolicy`. At most 64.',
    variables:
      'Named expressions that others use as `variables.NAME`. Each is evaluated when it is first used and at most once for a request.',
    reinvocationPolicy:
      'Whether the policy is asked again when a later one changed the object: `Never` or `IfNeeded`. A policy that may be asked twice has to leave alone what it has changed already.',
  },
  ValidatingAdmissionPolicyBindingSpec: {
    policyName:
      'The name of the ValidatingAdmissionPolicy that comes into effect. Without such a policy the binding does nothing.',
    paramRef:
      "The objects that the policy gets as `params`; their kind is the policy's `paramKind`.",
    matchResources: 'Narrows what the policy is about for this binding: a request has to fit both.',
    validationActions:
      'What follows from a failed validation: `Deny` refuses the request, `Warn` sends a warning to the client, `Audit` writes it into the audit event. `Deny` and `Warn` exclude each other.',
  },
  MutatingAdmissionPolicyBindingSpec: {
    policyName:
      'The name of the MutatingAdmissionPolicy that comes into effect. Without such a policy the binding does nothing.',
    paramRef:
      "The objects that the policy gets as `params`; their kind is the policy's `paramKind`.",
    matchResources: 'Narrows what the policy is about for this binding: a request has to fit both.',
  },
  ValidationRule: {
    rule: 'An expression that has to be true of `self`, the value that the schema is about. It is asked about every object that is stored; one that reads `oldSelf` only about changes.',
    message: 'What is said where the rule is false; else the rule itself.',
    messageExpression:
      'An expression that gives what is said, with the names that the rule has. What is no text of one line counts as absent.',
    reason:
      'What kind of error it is: `FieldValueInvalid` (the default), `FieldValueForbidden`, `FieldValueRequired` or `FieldValueDuplicate`.',
    fieldPath:
      'The field below the value of the schema that is named as the wrong one: `.spec.replicas`.',
    optionalOldSelf:
      'Whether `oldSelf` is an optional value: then a rule that reads it is asked about new values too.',
  },
  MatchResources: {
    namespaceSelector:
      'Labels that the namespace of the object has to have. Objects without namespace always fit, but namespaces themselves are judged by their own labels.',
    objectSelector:
      'Labels that the object has to have, or its old form. Users choose labels themselves, so it is no way to keep anybody from escaping the policy.',
    resourceRules:
      'The operations and resources that the policy is about; a request has to fit one of them.',
    excludeResourceRules:
      'Operations and resources that the policy is not about, though `resourceRules` names them.',
    matchPolicy:
      '`Equivalent` (the default) also takes requests to other versions of a resource, and converts their objects; `Exact` takes only those that the rules name.',
  },
  NamedRuleWithOperations: {
    resourceNames:
      'Names of the objects; without them all are meant. Objects that get a generated name have none yet.',
    operations: '`CREATE`, `UPDATE`, `DELETE`, `CONNECT`, or `*` for all.',
    apiGroups: 'Groups of the resources; the empty text is the core group, `*` all groups.',
    apiVersions: 'Versions of the groups, such as `v1`; `*` for all.',
    resources:
      'Resources in the plural, such as `pods`; `pods/exec` is a subresource, `pods/*` all of them, `*` every resource, `*/*` every resource and subresource.',
    scope:
      '`Cluster` for objects without namespace, `Namespaced` for others, `*` (the default) for both.',
  },
  ParamKind: {
    apiVersion:
      "The group and version of the parameters' kind, such as `v1` or `rules.example.com/v1`.",
    kind: 'The kind of the parameters, such as `ConfigMap`.',
  },
  ParamRef: {
    name: 'The name of the one parameter object. Excludes `selector`.',
    namespace:
      'Where the parameters lie. Without it, for a kind that lies in namespaces, they are sought in the namespace of the request.',
    selector:
      'Labels of the parameter objects; the policy is evaluated once for each. Excludes `name`.',
    parameterNotFoundAction:
      "What happens when there is no such object: `Deny` handles it by the policy's `failurePolicy`, `Allow` lets the binding pass.",
  },
  Validation: {
    expression:
      'What has to be true, in CEL. It sees `object`, `oldObject`, `request`, `params`, `namespaceObject`, `authorizer` and `variables`.',
    message:
      'What the client is told when the expression is false. Needed where the expression has line breaks.',
    reason:
      'The reason in the status of the refusal, from which the HTTP code follows: `Unauthorized` 401, `Forbidden` 403, `Invalid` 422 (the default), `RequestEntityTooLarge` 413.',
    messageExpression:
      'An expression that gives the message; wins over `message`. Where it fails, or gives an empty text or one with line breaks, `message` is taken.',
  },
  MatchCondition: {
    name: 'A name for messages, metrics and the audit log; unique within the policy.',
    expression: 'What has to be true, in CEL, for the policy to look at the request.',
  },
  Variable: {
    name: 'The name under which other expressions know it: `variables.NAME`. A CEL identifier, unique within the policy.',
    expression: 'What the variable stands for, in CEL. It can use the variables before it.',
  },
  AuditAnnotation: {
    key: "The key of the annotation; the policy's name and a slash are put before it.",
    valueExpression: 'An expression that gives the text of the annotation, or null for none.',
  },
  Mutation: {
    patchType:
      '`ApplyConfiguration` merges an object, as server-side apply does; `JSONPatch` makes a list of operations.',
    applyConfiguration: 'What is merged into the object.',
    jsonPatch: 'The operations that are carried out on the object.',
  },
  ApplyConfiguration: {
    expression:
      'An expression that gives an `Object{…}` with the fields to set. It may not touch atomic lists, maps and structs.',
  },
  JSONPatch: {
    expression:
      'An expression that gives a list of `JSONPatch{op: …, path: …}`. Escape keys in paths by `jsonpatch.escapeKey`.',
  },
  LabelSelector: {
    matchLabels: 'Labels with the values that they have to have, all of them.',
    matchExpressions: 'Demands on labels, all of which have to hold.',
  },
  LabelSelectorRequirement: {
    key: 'The label that is meant.',
    operator:
      '`In` and `NotIn` compare with `values`, `Exists` and `DoesNotExist` only look whether the label is there.',
    values: 'The values for `In` and `NotIn`; must be left out for the others.',
  },
  Subject: {
    kind: '`User`, `Group` or `ServiceAccount`.',
    name: 'The name; wildcards allowed.',
    namespace: 'The namespace of a service account.',
    apiGroup: '`rbac.authorization.k8s.io` for users and groups.',
  },
  ObjectMeta: {
    name: 'The name, unique among objects of the kind (in their namespace).',
    namespace:
      'The namespace that the object lies in; policies of Kubernetes and their bindings lie in none.',
    labels: 'Short texts by which objects are selected.',
    annotations: 'Texts for people and programs, by which nothing is selected.',
    generateName: 'The begin of a name that the server makes when the object is created.',
  },
};

/** Values that fields of policies may have, by their Go type or by struct and field, each with what it means. */
export const valueWords: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'v1.FailurePolicyType': {
    Fail: 'An error counts as a failure.',
    Ignore: 'An error lets the request pass.',
  },
  'v1.MatchPolicyType': {
    Equivalent: 'Requests to other versions of the resource count, too.',
    Exact: 'Only what the rules name counts.',
  },
  'v1.ParameterNotFoundActionType': {
    Deny: 'Missing parameters are handled by `failurePolicy`.',
    Allow: 'Without parameters the binding has nothing to say.',
  },
  'v1.OperationType': {
    CREATE: 'Objects that are made.',
    UPDATE: 'Objects that are changed; `oldObject` is what was before.',
    DELETE: 'Objects that are deleted; `object` is null.',
    CONNECT: 'Connections such as `pods/exec`; `object` holds the options.',
    '*': 'All operations.',
  },
  'v1.ScopeType': {
    '*': 'Objects with and without namespace.',
    Namespaced: 'Objects in namespaces.',
    Cluster: 'Objects without namespace.',
  },
  'v1.ValidationAction': {
    Deny: 'The request is refused.',
    Warn: 'The client gets a warning.',
    Audit: 'The failure is written into the audit event.',
  },
  'v1.FieldValueErrorReason': {
    FieldValueInvalid: 'The value is wrong.',
    FieldValueForbidden: 'The value may not be there.',
    FieldValueRequired: 'A value is missing.',
    FieldValueDuplicate: 'The value is there twice.',
  },
  'v1.StatusReason': {
    Unauthorized: 'HTTP 401.',
    Forbidden: 'HTTP 403.',
    Invalid: 'HTTP 422, the default.',
    RequestEntityTooLarge: 'HTTP 413.',
  },
  'v1.PatchType': {
    ApplyConfiguration: 'Merges an object, as server-side apply does.',
    JSONPatch: 'Carries out operations.',
  },
  'v1.ReinvocationPolicyType': {
    Never: 'The policy is asked once.',
    IfNeeded: 'The policy is asked again when a later one changed the object.',
  },
  'v1.LabelSelectorOperator': {
    In: 'The label has one of the values.',
    NotIn: 'The label has none of the values, or is not there.',
    Exists: 'The label is there.',
    DoesNotExist: 'The label is not there.',
  },
};
