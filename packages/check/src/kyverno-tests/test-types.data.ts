type Rows = readonly (readonly [field: string, type: string])[];

/** A type of the Kyverno CLI's files of tests, values and users. */
export type TestType =
  | 'tests.Test'
  | 'tests.Result'
  | 'tests.ResourceSpec'
  | 'tests.APICallResponse'
  | 'tests.Response'
  | 'tests.GlobalContextEntry'
  | 'tests.Projection'
  | 'tests.Values'
  | 'tests.NamespaceSelector'
  | 'tests.PolicyValues'
  | 'tests.ResourceValues'
  | 'tests.RuleValues'
  | 'tests.Subresource'
  | 'tests.UserInfo'
  | 'tests.User';

const head: Rows = [
  ['apiVersion', 'string'],
  ['kind', 'string'],
  ['metadata', 'meta.v1.ObjectMeta'],
];

/**
 * The fields of the Kyverno CLI's files of tests, values and users (`cli.kyverno.io/v1alpha1`), and their types as in
 * the tables of Kyverno's policies. Each kind is the type of its name.
 */
export const testTypes: Readonly<Record<TestType, Rows>> = {
  'tests.Test': [
    ...head,
    ['name', 'string'],
    ['policies', '[]string'],
    ['resources', '[]string'],
    ['targetResources', '[]string'],
    ['paramResources', '[]string'],
    ['clusterResources', '[]string'],
    ['exceptions', '[]string'],
    ['jsonPayload', 'string'],
    ['jsonPayloads', '[]string'],
    ['httpPayloads', '[]string'],
    ['envoyPayloads', '[]string'],
    ['variables', 'string'],
    ['userinfo', 'string'],
    ['context', 'string'],
    ['values', 'tests.Values'],
    ['apiCallResponses', '[]tests.APICallResponse'],
    ['globalContextEntries', '[]tests.GlobalContextEntry'],
    ['results', '[]tests.Result'],
  ],
  'tests.Result': [
    ['policy', 'string'],
    ['rule', 'string'],
    ['resources', '[]string'],
    ['resourceSpecs', '[]tests.ResourceSpec'],
    ['kind', 'string'],
    ['operation', 'string:Operation'],
    ['result', 'string:Result'],
    ['patchedResources', 'string'],
    ['generatedResource', 'string'],
    ['generatedResources', '[]string'],
    ['cloneSourceResource', 'string'],
    ['failOnMissingResources', 'bool'],
    ['isValidatingAdmissionPolicy', 'bool'],
    ['isMutatingAdmissionPolicy', 'bool'],
    ['isValidatingPolicy', 'bool'],
    ['isMutatingPolicy', 'bool'],
    ['isDeletingPolicy', 'bool'],
    ['isGeneratingPolicy', 'bool'],
    ['isImageValidatingPolicy', 'bool'],
  ],
  'tests.ResourceSpec': [
    ['group', 'string'],
    ['version', 'string'],
    ['kind', 'string'],
    ['namespace', 'string'],
    ['subresource', 'string'],
    ['name', 'string'],
  ],
  'tests.APICallResponse': [
    ['url', 'string'],
    ['urlPath', 'string'],
    ['method', 'string'],
    ['response', 'tests.Response'],
  ],
  'tests.Response': [
    ['statusCode', 'int'],
    ['body', 'map:any'],
  ],
  'tests.GlobalContextEntry': [
    ['name', 'string'],
    ['data', 'any'],
    ['resources', '[]any'],
    ['resourceFiles', '[]string'],
    ['fieldPath', 'string'],
    ['projections', '[]tests.Projection'],
  ],
  'tests.Projection': [
    ['name', 'string'],
    ['path', 'string'],
  ],
  'tests.Values': [
    ...head,
    ['globalValues', 'map:string'],
    ['namespaceSelector', '[]tests.NamespaceSelector'],
    ['namespaces', '[]any'],
    ['policies', '[]tests.PolicyValues'],
    ['subresources', '[]tests.Subresource'],
  ],
  'tests.NamespaceSelector': [
    ['name', 'string'],
    ['labels', 'map:string'],
  ],
  'tests.PolicyValues': [
    ['name', 'string'],
    ['resources', '[]tests.ResourceValues'],
    ['rules', '[]tests.RuleValues'],
  ],
  'tests.ResourceValues': [
    ['name', 'string'],
    ['values', 'map:any'],
  ],
  'tests.RuleValues': [
    ['name', 'string'],
    ['values', 'map:any'],
    ['foreachValues', 'map:any'],
  ],
  'tests.Subresource': [
    ['subresource', 'tests.ResourceSpec'],
    ['parentResource', 'tests.ResourceSpec'],
  ],
  'tests.UserInfo': [
    ...head,
    ['roles', '[]string'],
    ['clusterRoles', '[]string'],
    ['userInfo', 'tests.User'],
    ['synced', 'bool'],
  ],
  'tests.User': [
    ['username', 'string'],
    ['uid', 'string'],
    ['groups', '[]string'],
    ['extra', 'map:any'],
  ],
};
