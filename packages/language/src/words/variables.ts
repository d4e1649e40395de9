/** What the variables of expressions stand for, in our own words. */
export const variableWords: Readonly<Record<string, string>> = {
  object: 'The object of the request as it would be stored; null where it is deleted.',
  oldObject: 'The object as it was before; null for `CREATE` and `CONNECT`.',
  request: 'The request itself: who asks, for what, by which operation.',
  params: 'The parameter object that the binding gives; null where there is none.',
  namespaceObject:
    'The namespace of the object; null for objects without namespace, and in match conditions.',
  authorizer: 'Asks whether the user of the request may do something else.',
  'authorizer.requestResource': 'The check for the resource of this request.',
  self: 'The value that the schema of the rule is about.',
  oldSelf:
    'The value as it was before. A rule that reads it is asked only about changes, unless `optionalOldSelf` is set.',
  variables: 'The variables of the policy, each evaluated when it is first used.',
  resource: 'Asks the cluster for other resources (Kyverno).',
  http: 'Asks services over HTTP (Kyverno).',
  globalContext: 'Entries of the global context (Kyverno).',
  image: 'Reads references of images (Kyverno).',
  images: 'The images of the object by the lists that hold them (Kyverno).',
  json: 'Reads and writes JSON (Kyverno).',
  yaml: 'Reads YAML (Kyverno).',
  exceptions: 'What exceptions to the policy allow (Kyverno).',
};

/** The fields of `request` and `namespaceObject` by their types, in our own words. */
export const requestWords: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'kubernetes.AdmissionRequest': {
    kind: 'The kind of `object`, in the version that the policy sees.',
    resource: 'The resource in the version that the policy sees.',
    subResource: 'The subresource, such as `scale`; empty for the resource itself.',
    requestKind: 'The kind as the client sent it.',
    requestResource: 'The resource as the client named it.',
    requestSubResource: 'The subresource as the client named it.',
    name: 'The name of the object; empty where the server makes one.',
    namespace: 'The namespace of the object; empty for objects without.',
    operation: '`CREATE`, `UPDATE`, `DELETE` or `CONNECT`.',
    userInfo: 'Who asks.',
    dryRun: 'Whether nothing will be stored.',
    options: 'The options of the request, such as those of its creation.',
  },
  'kubernetes.UserInfo': {
    username: 'The name of the user, such as `system:serviceaccount:shop:deployer`.',
    uid: 'An id that tells users of one name apart.',
    groups: 'The groups that the user belongs to.',
    extra: 'What the authenticator knows besides.',
  },
  'kubernetes.GroupVersionKind': {
    group: 'The API group.',
    version: 'The version.',
    kind: 'The kind.',
  },
  'kubernetes.GroupVersionResource': {
    group: 'The API group.',
    version: 'The version.',
    resource: 'The resource in the plural.',
  },
  'kubernetes.Namespace': {
    metadata: 'Name, labels and annotations of the namespace.',
    spec: 'What is wanted of the namespace.',
    status: 'What the server says of the namespace.',
  },
  'kubernetes.NamespaceMetadata': {
    name: 'The name of the namespace.',
    generateName: 'The begin of a name that was to be made.',
    namespace: 'Empty.',
    UID: 'The id.',
    resourceVersion: 'The version of the stored object.',
    labels: 'The labels.',
    annotations: 'The annotations.',
    creationTimestamp: 'When it was made.',
    deletionTimestamp: 'When it will be gone.',
    deletionGracePeriodSeconds: 'How long its end may take.',
    generation: 'How often its spec changed.',
    finalizers: 'What has to happen before it is gone.',
  },
  'kubernetes.NamespaceSpec': { finalizers: 'What has to happen before the namespace is gone.' },
  'kubernetes.NamespaceStatus': {
    conditions: 'Why its end takes long.',
    phase: '`Active` or `Terminating`.',
  },
  'kubernetes.NamespaceCondition': {
    type: 'What the condition is about.',
    status: '`True`, `False` or `Unknown`.',
    message: 'For people.',
    reason: 'For programs.',
    lastTransitionTime: 'When the status changed last.',
  },
  JSONPatch: {
    op: '`add`, `remove`, `replace`, `move`, `copy` or `test`.',
    path: 'Where: a JSON pointer, with `/` between keys; escape keys by `jsonpatch.escapeKey`.',
    from: 'From where, for `move` and `copy`.',
    value: 'What, for `add`, `replace` and `test`.',
  },
};
