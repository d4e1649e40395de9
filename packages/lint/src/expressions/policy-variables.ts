/** The variables that expressions of policies of Kubernetes may read, each where it is there. */
export const policyVariables: readonly string[] = [
  'object',
  'oldObject',
  'request',
  'params',
  'namespaceObject',
  'authorizer',
  'variables',
];
