import {
  a,
  b,
  binding,
  create,
  documents,
  type Fields,
  group,
  list,
  mutation,
  mutationBinding,
  names,
  object,
  policy,
  type StaticCase,
  type StaticRequest,
} from './cases.ts';

// No server listens at this address, so every call to the webhook fails.
const url = 'https://127.0.0.1:1/';

// Excludes the objects that a server creates at its start.
const rule = {
  apiGroups: ['', group],
  apiVersions: ['*'],
  operations: ['*'],
  resources: ['secrets'],
};

function webhook(name: string, rest: Fields = {}): Fields {
  return {
    name: `${name}.example.com`,
    clientConfig: { url: `${url}${name}` },
    rules: [rule],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    ...rest,
  };
}

const configured =
  (kind: string) =>
  (name: string | undefined, webhooks: readonly Fields[] = [webhook('w')], rest: Fields = {}) =>
    object(kind, name, {}, { spec: undefined, webhooks, ...rest });
const configuration = configured('ValidatingWebhookConfiguration');
const mutating = configured('MutatingWebhookConfiguration');

const validating = (id: string, ...texts: readonly string[]): StaticCase => ({
  id,
  plugin: 'ValidatingWebhook',
  files: { 'a.yaml': documents(...texts) },
});
const wrong = (id: string, rest: Fields): StaticCase =>
  validating(id, configuration(a, [webhook('w', rest)]));

const secret = (name: string): StaticRequest =>
  create(
    '/api/v1/namespaces/default/secrets',
    JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name } }),
  );
const config = (clientConfig: unknown): Fields => ({ clientConfig });
const service = { name: 's', namespace: 'n' };

const ownRules = [rule, { ...rule, apiGroups: [group], resources: ['*'] }];

/** The manifests with which a server starts or refuses to start. */
export const webhookCases: readonly StaticCase[] = [
  validating('a configuration', configuration(a)),
  { id: 'an empty folder', plugin: 'ValidatingWebhook', files: {} },
  validating('a configuration without webhooks', configuration(a, [])),
  validating('a list', list(configuration(a), list(configuration(b)))),
  validating(
    'a list of configurations',
    `{"apiVersion":"${group}/v1","kind":"ValidatingWebhookConfigurationList","items":[${configuration(a)}]}`,
  ),
  validating('a name twice', configuration(a), configuration(a)),
  {
    id: 'a name in two files',
    plugin: 'ValidatingWebhook',
    files: { 'a.yaml': configuration(a), 'b.json': configuration(a) },
  },
  validating('no name', configuration(undefined)),
  validating('another name', configuration('a')),
  validating('a name that is no name', configuration('A_.static.k8s.io')),
  validating('a name that is no name, with a mistake', configuration('A_', [webhook('W')])),
  validating('nothing but the suffix', configuration('.static.k8s.io')),
  validating('a namespace', configuration(a, [], { metadata: { name: a, namespace: 'x' } })),
  wrong('a service', config({ service })),
  wrong('a service and a URL', config({ service, url })),
  wrong('neither a service nor a URL', config({})),
  wrong('no configuration of the client', config(undefined)),
  wrong('an empty URL', config({ url: '' })),
  wrong('a URL that is not https', config({ url: 'http://127.0.0.1/' })),
  wrong('a URL that is none', config({ url: '::' })),
  wrong('a bundle that is none', config({ url, caBundle: 'YQ==' })),
  wrong('a bundle that is no base64', config({ url, caBundle: '?' })),
  validating(
    'the second webhook with a service',
    configuration(a, [webhook('w'), webhook('x', config({ service }))]),
  ),
  validating('two webhooks of a name', configuration(a, [webhook('w'), webhook('w')])),
  wrong('a short name', { name: 'w' }),
  wrong('no name of a webhook', { name: undefined }),
  wrong('side effects', { sideEffects: 'Some' }),
  wrong('nothing about side effects', { sideEffects: undefined }),
  wrong('no versions of reviews', { admissionReviewVersions: [] }),
  wrong('other versions of reviews', { admissionReviewVersions: ['v2'] }),
  wrong('a long timeout', { timeoutSeconds: 31 }),
  wrong('another policy about failures', { failurePolicy: 'Never' }),
  wrong('another policy about matches', { matchPolicy: 'Nearly' }),
  wrong('no rules', { rules: [] }),
  wrong('a rule without operations', { rules: [{ ...rule, operations: [] }] }),
  wrong('a selector that is none', {
    objectSelector: { matchExpressions: [{ key: 'a', operator: 'Is' }] },
  }),
  wrong('a condition that does not compile', {
    matchConditions: [{ name: 'c', expression: 'nope(' }],
  }),
  wrong('a condition without a name', { matchConditions: [{ name: '', expression: 'true' }] }),
  wrong('reinvocation of a webhook that validates', { reinvocationPolicy: 'Never' }),
  wrong('an unknown field', { nope: 1 }),
  wrong('a value of another type', { timeoutSeconds: '5' }),
  validating('a policy', configuration(a), policy(b)),
  validating('a webhook that mutates', configuration(a), mutating(b)),
  validating('another version', configuration(a).replace('/v1"', '/v1beta1"')),
  validating('another kind', '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"}}'),
  validating('a text that is no YAML', 'a: ['),
  { id: 'mutating', plugin: 'MutatingWebhook', files: { 'a.yaml': mutating(a) } },
  {
    id: 'mutating, with another reinvocation',
    plugin: 'MutatingWebhook',
    files: { 'a.yaml': mutating(a, [webhook('w', { reinvocationPolicy: 'Often' })]) },
  },
  {
    id: 'a webhook that validates among those that mutate',
    plugin: 'MutatingWebhook',
    files: { 'a.yaml': documents(mutating(a), configuration(b)) },
  },
  {
    ...validating(
      'what webhooks of the disk see',
      configuration(a, [
        webhook('strict', { rules: [{ ...rule, resources: ['*'], apiGroups: [group] }] }),
        webhook('loose', { failurePolicy: 'Ignore' }),
        webhook('reviews', {
          rules: [
            { ...rule, apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'] },
          ],
        }),
        webhook('named', {
          matchConditions: [{ name: 'c', expression: 'object.metadata.name == "named"' }],
        }),
      ]),
    ),
    requests: [
      secret('good'),
      secret('named'),
      create(`${names}/validatingadmissionpolicies`, policy('one')),
      create(`${names}/validatingadmissionpolicies`, policy('one', { validations: [] })),
      create(`${names}/validatingadmissionpolicybindings`, binding('one', 'x')),
      create(`${names}/mutatingadmissionpolicies`, mutation('one')),
      create(`${names}/mutatingadmissionpolicybindings`, mutationBinding('one', 'x')),
      create(`${names}/validatingwebhookconfigurations`, configuration('one')),
      create(`${names}/mutatingwebhookconfigurations`, mutating('one')),
      {
        method: 'POST',
        path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
        body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
      },
    ],
  },
  {
    id: 'mutating webhooks in their order',
    plugin: 'MutatingWebhook',
    files: {
      'a.yaml': mutating(b, [webhook('second', { rules: ownRules })]),
      'b.yaml': mutating(a, [
        webhook('loose', { failurePolicy: 'Ignore', rules: ownRules }),
        webhook('first', { rules: ownRules }),
      ]),
    },
    requests: [
      secret('good'),
      create(`${names}/mutatingadmissionpolicies`, mutation('one')),
      create(`${names}/mutatingwebhookconfigurations`, mutating('one')),
    ],
  },
];
