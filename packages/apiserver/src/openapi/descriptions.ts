import type { OpenApiSchema } from './component-schemas.ts';

/**
 * Descriptions of the fields of policies and metadata, by schema and field; the empty field is the schema itself.
 */
const descriptions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ValidatingAdmissionPolicy: {
    '': 'A rule in CEL that requests have to fulfil; a binding puts it into effect.',
    spec: 'What the policy is about and what it asks.',
    status: 'What the server found out about the policy.',
  },
  ValidatingAdmissionPolicySpec: {
    '': 'What a validating policy is about and what it asks.',
    paramKind: 'The kind of the objects that `params` stands for in expressions.',
    matchConstraints: 'The requests that the policy is about.',
    matchConditions: 'Expressions that all have to hold for the policy to be asked.',
    variables: 'Named expressions that the others read as `variables.NAME`.',
    validations: 'Expressions that all have to hold for a request to be allowed.',
    auditAnnotations: 'Expressions whose values go into the audit log.',
    failurePolicy:
      'What an error while deciding means: `Fail` refuses the request, `Ignore` does not.',
  },
  MutatingAdmissionPolicy: {
    '': 'A change in CEL that the server makes to objects; a binding puts it into effect.',
    spec: 'What the policy is about and what it changes.',
  },
  MutatingAdmissionPolicySpec: {
    '': 'What a mutating policy is about and what it changes.',
    paramKind: 'The kind of the objects that `params` stands for in expressions.',
    matchConstraints: 'The requests that the policy is about.',
    matchConditions: 'Expressions that all have to hold for the policy to be asked.',
    variables: 'Named expressions that the others read as `variables.NAME`.',
    mutations: 'The changes, one after another.',
    reinvocationPolicy:
      'Whether the policy is asked again when a later one changed the object: `Never` or `IfNeeded`.',
    failurePolicy:
      'What an error while deciding means: `Fail` refuses the request, `Ignore` does not.',
  },
  ValidatingAdmissionPolicyBinding: {
    '': 'Puts a validating policy into effect, for some requests and with some parameters.',
    spec: 'Which policy, for which requests, with which parameters, to what effect.',
  },
  ValidatingAdmissionPolicyBindingSpec: {
    '': 'Which policy is in effect, for which requests, with which parameters, to what effect.',
    policyName: 'The name of the policy.',
    paramRef: 'The objects that `params` stands for.',
    matchResources: 'Which of the requests of the policy the binding is about.',
    validationActions: 'What a failed validation leads to: `Deny`, `Warn` or `Audit`.',
  },
  MutatingAdmissionPolicyBinding: {
    '': 'Puts a mutating policy into effect, for some requests and with some parameters.',
    spec: 'Which policy, for which requests, with which parameters.',
  },
  MutatingAdmissionPolicyBindingSpec: {
    '': 'Which policy is in effect, for which requests, with which parameters.',
    policyName: 'The name of the policy.',
    paramRef: 'The objects that `params` stands for.',
    matchResources: 'Which of the requests of the policy the binding is about.',
  },
  CustomResourceDefinition: {
    '': 'Adds a kind of objects to the API.',
    spec: 'The names, versions and schemas of the kind.',
    status: 'Whether the kind is served, and under which names.',
  },
  ObjectMeta: {
    '': "Standard object's metadata: what every object has, whatever its kind.",
    annotations: 'Texts for people and programs, which nothing selects by.',
    creationTimestamp:
      "CreationTimestamp is a timestamp of the server's clock when it took the object.",
    deletionTimestamp: 'When the deletion of the object was asked for.',
    finalizers: 'Who has to do something before the object is gone.',
    generateName: 'The beginning of a name that the server completes.',
    generation: 'Grows with every change of what is wanted.',
    labels: 'Words that objects are selected by.',
    managedFields: 'Who has set which fields.',
    name: 'What the object is called, unique within its kind and namespace.',
    namespace: 'The namespace that the object is in.',
    ownerReferences: 'Objects that this one goes with.',
    resourceVersion: 'The version of the object, to be given back as it is.',
    uid: 'What tells the object from all others, before and after it.',
  },
  Namespace: {
    '': 'A scope for the names of objects.',
    spec: 'What holds the namespace while it ends.',
    status: 'Whether the namespace is in use or ends.',
  },
};

/** Schemas with the descriptions that there are. */
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
