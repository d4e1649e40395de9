/** The plugins that read static manifests, without the word `Admission`. */
export type StaticPlugin =
  | 'ValidatingPolicy'
  | 'MutatingPolicy'
  | 'ValidatingWebhook'
  | 'MutatingWebhook';

/** A folder of static manifests and the requests that the server then receives. */
export interface StaticCase {
  readonly id: string;
  /** The plugin whose folder it is. */
  readonly plugin: StaticPlugin;
  /** The texts of the files, by name. */
  readonly files: Readonly<Record<string, string>>;
  readonly requests?: readonly StaticRequest[];
}

/** A request that is sent as a dry run, in the order of the list. */
export interface StaticRequest {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: object;
}

export const group = 'admissionregistration.k8s.io';
const configMaps = {
  resourceRules: [
    { apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] },
  ],
};

/** Fields of an object. */
export type Fields = Readonly<Record<string, unknown>>;

export function object(
  kind: string,
  name: string | undefined,
  spec: Fields,
  rest: Fields = {},
): string {
  const metadata = name === undefined ? {} : { name };
  return JSON.stringify({ apiVersion: `${group}/v1`, kind, metadata, spec, ...rest });
}

export function policy(name: string | undefined, spec: Fields = {}, rest: Fields = {}): string {
  const validations = [{ expression: 'object.metadata.name != "bad"' }];
  const whole = { matchConstraints: configMaps, validations, ...spec };
  return object('ValidatingAdmissionPolicy', name, whole, rest);
}

export function binding(name: string | undefined, policyName: string, spec: Fields = {}): string {
  const whole = { policyName, validationActions: ['Deny'], ...spec };
  return object('ValidatingAdmissionPolicyBinding', name, whole);
}

const webhooks = (name: string): string =>
  object('ValidatingWebhookConfiguration', name, {}, { spec: undefined, webhooks: [] });

const patch = (label: string): Fields => ({
  patchType: 'ApplyConfiguration',
  applyConfiguration: {
    expression: `Object{metadata: Object.metadata{labels: {"${label}": "yes"}}}`,
  },
});

export function mutation(name: string | undefined, spec: Fields = {}): string {
  const whole = {
    matchConstraints: {
      resourceRules: [{ ...configMaps.resourceRules[0], operations: ['CREATE', 'UPDATE'] }],
    },
    mutations: [patch('disk')],
    reinvocationPolicy: 'Never',
    ...spec,
  };
  return object('MutatingAdmissionPolicy', name, whole);
}

export const mutationBinding = (name: string, policyName: string, spec: Fields = {}): string =>
  object('MutatingAdmissionPolicyBinding', name, { policyName, ...spec });

export const list = (...items: readonly string[]): string =>
  `{"apiVersion":"v1","kind":"List","items":[${items.join(',')}]}`;
export const documents = (...texts: readonly string[]): string => texts.join('\n---\n');
export const a = 'a.static.k8s.io';
export const b = 'b.static.k8s.io';

const validating = (id: string, files: Readonly<Record<string, string>>): StaticCase => ({
  id,
  plugin: 'ValidatingPolicy',
  files,
});
const mutating = (id: string, files: Readonly<Record<string, string>>): StaticCase => ({
  id,
  plugin: 'MutatingPolicy',
  files,
});

export const names = `/apis/${group}/v1`;
export const create = (path: string, body: string): StaticRequest => ({
  method: 'POST',
  path,
  body: JSON.parse(body) as object,
});
const configMap = (name: string, rest: Fields = {}): StaticRequest => ({
  method: 'POST',
  path: '/api/v1/namespaces/default/configmaps',
  body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, ...rest },
});

const everything = {
  resourceRules: [
    { apiGroups: [group], apiVersions: ['*'], operations: ['*'], resources: ['*/*'] },
  ],
};

/** The manifests with which a server starts or refuses to start. */
export const staticCases: readonly StaticCase[] = [
  validating('a policy and its binding', { 'a.yaml': documents(policy(a), binding(b, a)) }),
  validating('an empty folder', {}),
  validating('files of other names, and empty ones', {
    'a.txt': 'no: manifest',
    'b.YAML': policy(a),
    'c.yml': '',
    'd.json': '\n',
    'e.yaml.bak': '[',
  }),
  validating('a policy without a binding', { 'a.yaml': policy(a) }),
  validating('a list', { 'a.yaml': list(policy(a), list(binding(b, a))) }),
  validating('a list of policies', {
    'a.yaml': `{"apiVersion":"${group}/v1","kind":"ValidatingAdmissionPolicyList","items":[${policy(a)}]}`,
  }),
  validating('a policy in two files', { 'a.yaml': policy(a), 'b.yaml': policy(a) }),
  validating('a policy twice in one file', { 'a.yaml': documents(policy(a), policy(a)) }),
  validating('a policy and a binding of one name', {
    'a.yaml': documents(policy(a), binding(a, a)),
  }),
  validating('a binding twice', { 'a.yaml': documents(policy(a), binding(b, a), binding(b, a)) }),
  validating('no name', { 'a.yaml': policy(undefined) }),
  validating('no name of a binding', { 'a.yaml': documents(policy(a), binding(undefined, a)) }),
  validating('a generated name', {
    'a.yaml': policy(undefined, {}, { metadata: { generateName: 'x-' } }),
  }),
  validating('another name', { 'a.yaml': policy('a') }),
  validating('a name that is no name', { 'a.yaml': policy('A_.static.k8s.io') }),
  validating('nothing but the suffix', { 'a.yaml': policy('.static.k8s.io') }),
  validating('parameters', {
    'a.yaml': policy(a, { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } }),
  }),
  validating('wrong parameters', {
    'a.yaml': policy(a, { paramKind: { apiVersion: '', kind: '' } }),
  }),
  validating('a binding with parameters', {
    'a.yaml': documents(
      policy(a),
      binding(b, a, { paramRef: { name: 'x', parameterNotFoundAction: 'Deny' } }),
    ),
  }),
  validating('a binding of no policy', { 'a.yaml': documents(policy(a), binding(b, '')) }),
  validating('a binding of a stored policy', {
    'a.yaml': documents(policy(a), binding(b, 'stored')),
  }),
  validating('a binding of a policy that is not there', { 'a.yaml': binding(b, a) }),
  validating('bindings of a policy in a later file', {
    'a.yaml': binding(b, a),
    'b.yaml': policy(a),
  }),
  validating('a binding without actions', {
    'a.yaml': documents(policy(a), binding(b, a, { validationActions: [] })),
  }),
  validating('a binding without spec', {
    'a.yaml': `{"apiVersion":"${group}/v1","kind":"ValidatingAdmissionPolicyBinding","metadata":{"name":"${b}"}}`,
  }),
  validating('an expression that does not compile', {
    'a.yaml': policy(a, { validations: [{ expression: 'nope(' }, { expression: '1' }] }),
  }),
  validating('several mistakes', {
    'a.yaml': policy('a', {
      failurePolicy: 'Never',
      validations: [],
      matchConstraints: { resourceRules: [] },
    }),
  }),
  validating('the first of several files with mistakes', {
    'b.yaml': policy('b'),
    'a.yaml': documents(policy(a), policy('a')),
  }),
  validating('a generation', {
    'a.yaml': policy(
      a,
      {},
      { metadata: { name: a, generation: -1, resourceVersion: '7', uid: 'x' } },
    ),
  }),
  validating('a namespace', { 'a.yaml': policy(a, {}, { metadata: { name: a, namespace: 'x' } }) }),
  validating('a status', { 'a.yaml': policy(a, {}, { status: { observedGeneration: 7 } }) }),
  validating('an unknown field', { 'a.yaml': policy(a, { nope: 1, validation: [] }) }),
  validating('a field twice', {
    'a.yaml': `apiVersion: ${group}/v1\nkind: ValidatingAdmissionPolicy\nkind: ValidatingAdmissionPolicy\n`,
  }),
  validating('a value of another type', { 'a.yaml': policy(a, { validations: 'x' }) }),
  validating('another kind', {
    'a.yaml': '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a.static.k8s.io"}}',
  }),
  validating('a kind that there is not', { 'a.yaml': '{"apiVersion":"x/v1","kind":"Nope"}' }),
  validating('no kind', { 'a.yaml': '{"apiVersion":"v1"}' }),
  validating('no object', { 'a.yaml': '- a' }),
  validating('a text that is no YAML', { 'a.yaml': 'a: [' }),
  validating('a webhook', {
    'a.yaml': documents(policy(a), webhooks(a)),
  }),
  validating('a policy that mutates', { 'a.yaml': documents(policy(a), mutation(b)) }),
  validating('another version', {
    'a.yaml': policy(a).replace('/v1"', '/v1beta1"'),
  }),
  validating('another version of a binding behind a policy', {
    'a.yaml': documents(policy(a), binding(b, a).replace('/v1"', '/v1alpha1"')),
  }),
  mutating('a mutation and its binding', {
    'a.yaml': documents(mutation(a), mutationBinding(b, a)),
  }),
  mutating('a mutation that validates', { 'a.yaml': documents(mutation(a), policy(b)) }),
  mutating('a mutation with parameters', {
    'a.yaml': mutation(a, { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } }),
  }),
  mutating('a mutation without mutations', { 'a.yaml': mutation(a, { mutations: [] }) }),
  mutating('a mutation with another name', { 'a.yaml': mutation('a') }),
  mutating('a binding of a mutation with parameters', {
    'a.yaml': documents(
      mutation(a),
      mutationBinding(b, a, { paramRef: { name: 'x', parameterNotFoundAction: 'Deny' } }),
    ),
  }),
  mutating('a binding of a mutation that is not there', { 'a.yaml': mutationBinding(b, a) }),
  {
    ...validating('what policies of the disk see', {
      'b.yaml': documents(
        policy(b, {
          matchConstraints: everything,
          validations: [
            {
              expression:
                'request.operation == "DELETE" || !object.metadata.name.startsWith("bad")',
            },
          ],
        }),
        binding(b, b),
      ),
      'a.yaml': documents(
        policy(a, { validations: [{ expression: 'object.metadata.name != "bad"', message: 'a' }] }),
        binding(a, a, { validationActions: ['Warn', 'Audit'] }),
        binding('0.static.k8s.io', a),
      ),
    }),
    requests: [
      configMap('good'),
      configMap('bad'),
      create(`${names}/validatingadmissionpolicies`, policy('good')),
      create(`${names}/validatingadmissionpolicies`, policy('bad-policy')),
      create(`${names}/validatingadmissionpolicies`, policy('bad-policy', { validations: [] })),
      create(`${names}/validatingadmissionpolicybindings`, binding('bad-binding', 'x')),
      create(`${names}/mutatingadmissionpolicies`, mutation('bad-mutation')),
      create(`${names}/mutatingadmissionpolicybindings`, mutationBinding('bad-one', 'x')),
      create(`${names}/validatingwebhookconfigurations`, webhooks('bad-webhook')),
      {
        method: 'POST',
        path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
        body: { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', spec: {} },
      },
    ],
  },
  {
    ...mutating('what mutations of the disk change', {
      'a.yaml': documents(
        mutation(a),
        mutationBinding(b, a),
        mutation(b, {
          mutations: [patch('policies')],
          matchConstraints: {
            resourceRules: [{ ...everything.resourceRules[0], operations: ['CREATE'] }],
          },
        }),
        mutationBinding(a, b),
      ),
    }),
    requests: [
      configMap('good'),
      create(`${names}/validatingadmissionpolicies`, policy('good')),
      create(`${names}/mutatingadmissionpolicybindings`, mutationBinding('good', 'x')),
    ],
  },
];
