import type { OpenApiSchema } from './component-schemas.ts';

/**
 * Descriptions of the fields of policies and metadata, by schema and field; the empty field is the schema itself.
 */
const descriptions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ValidatingAdmissionPolicy: {
    '': 'A policy that validates requests with CEL expressions. A binding puts it into effect.',
    spec: 'The requests that the policy matches, and its validations.',
    status: 'The warnings of the type checker.',
  },
  ValidatingAdmissionPolicySpec: {
    '': 'The requests that a validating policy matches, and its validations.',
    paramKind: 'The kind of the parameter objects, which expressions read as `params`.',
    matchConstraints: 'The requests that the policy matches.',
    matchConditions: 'Expressions that must all be true for the policy to be evaluated.',
    variables: 'Named expressions that other expressions use as `variables.NAME`.',
    validations: 'Expressions that must all be true for a request to be allowed.',
    auditAnnotations: 'Annotations that are added to the audit event.',
    failurePolicy: 'How errors are handled: `Fail` denies the request, `Ignore` ignores them.',
  },
  MutatingAdmissionPolicy: {
    '': 'A policy that changes objects with CEL expressions. A binding puts it into effect.',
    spec: 'The requests that the policy matches, and its changes.',
  },
  MutatingAdmissionPolicySpec: {
    '': 'The requests that a mutating policy matches, and its changes.',
    paramKind: 'The kind of the parameter objects, which expressions read as `params`.',
    matchConstraints: 'The requests that the policy matches.',
    matchConditions: 'Expressions that must all be true for the policy to be evaluated.',
    variables: 'Named expressions that other expressions use as `variables.NAME`.',
    mutations: 'The changes, applied in order.',
    reinvocationPolicy:
      'Whether the policy is applied again after a later policy changed the object: `Never` or `IfNeeded`.',
    failurePolicy: 'How errors are handled: `Fail` denies the request, `Ignore` ignores them.',
  },
  ValidatingAdmissionPolicyBinding: {
    '': 'Puts a validating policy into effect, with parameters and further match criteria.',
    spec: 'The policy, the requests, the parameters, and the actions for a failed validation.',
  },
  ValidatingAdmissionPolicyBindingSpec: {
    '': 'The policy, the requests, the parameters, and the actions for a failed validation.',
    policyName: 'The name of the policy.',
    paramRef: 'The parameter objects, which expressions read as `params`.',
    matchResources: 'Limits the requests of the policy to which the binding applies.',
    validationActions: 'The actions for a failed validation: `Deny`, `Warn` or `Audit`.',
  },
  MutatingAdmissionPolicyBinding: {
    '': 'Puts a mutating policy into effect, with parameters and further match criteria.',
    spec: 'The policy, the requests and the parameters.',
  },
  MutatingAdmissionPolicyBindingSpec: {
    '': 'The policy, the requests and the parameters.',
    policyName: 'The name of the policy.',
    paramRef: 'The parameter objects, which expressions read as `params`.',
    matchResources: 'Limits the requests of the policy to which the binding applies.',
  },
  CustomResourceDefinition: {
    '': 'Adds a kind of objects to the API.',
    spec: 'The names, versions and schemas of the kind.',
    status: 'Whether the kind is served, and under which names.',
  },
  ObjectMeta: {
    '': "Standard object's metadata, which objects of all kinds have.",
    annotations: 'Key-value pairs for people and programs; selectors do not match them.',
    creationTimestamp:
      "CreationTimestamp is a timestamp of the server's clock when it created the object.",
    deletionTimestamp: 'The time of the request to delete the object.',
    finalizers: 'Finalizers that must be removed before the object is deleted.',
    generateName: 'The prefix of a name that the server generates.',
    generation: 'The number of the last change of the spec.',
    labels: 'Key-value pairs that selectors match.',
    managedFields: 'The managers of fields.',
    name: 'The name, unique for the kind in its namespace.',
    namespace: 'The namespace that the object is in.',
    ownerReferences: 'Objects that own this object; it is deleted after them.',
    resourceVersion: 'The version of the stored object; send it back unchanged.',
    uid: 'The unique ID of the object.',
  },
  Namespace: {
    '': 'A scope for the names of objects.',
    spec: 'The desired state of the namespace.',
    status: 'The observed state of the namespace.',
  },
};

/** Adds the known descriptions to schemas. */
export function describe(
  schemas: Readonly<Record<string, OpenApiSchema>>,
): Record<string, OpenApiSchema> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const own = descriptions[name.slice(name.lastIndexOf('.') + 1)];
      return [name, own === undefined ? schema : described(schema, own)];
    }),
  );
}

function described(schema: OpenApiSchema, texts: Readonly<Record<string, string>>): OpenApiSchema {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, OpenApiSchema>);
  const { '': description, ...rest } = texts;
  return {
    ...(description === undefined ? {} : { description }),
    ...schema,
    properties: Object.fromEntries(
      properties.map(([name, property]) => {
        const text = rest[name];
        return [name, text === undefined ? property : { description: text, ...property }];
      }),
    ),
  };
}
