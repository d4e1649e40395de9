import { chmodSync } from 'node:fs';
import { dirname } from 'node:path';
import process from 'node:process';
import { withFiles } from '@kubeadmit/test-support';
import { describe, expect, test } from 'vitest';
import { type Ran, runHere } from '../terminal.ts';

/** Answers of a cluster by path, as `kubectl get --raw` returns them. */
type Answers = Readonly<Record<string, unknown>>;

const listable = (name: string, kind: string, namespaced: boolean) => ({
  name,
  kind,
  namespaced,
  verbs: ['get', 'list'],
});
const policyResources = [
  listable('validatingadmissionpolicies', 'ValidatingAdmissionPolicy', false),
  listable('validatingadmissionpolicybindings', 'ValidatingAdmissionPolicyBinding', false),
];
const policy = {
  metadata: { name: 'few', managedFields: [{ manager: 'x' }] },
  spec: {
    paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
    matchConstraints: {
      namespaceSelector: { matchLabels: { env: 'prod' } },
      resourceRules: [
        { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['secrets'] },
      ],
    },
    validations: [{ expression: 'object.data.size() <= int(params.data.most)' }],
  },
};
const binding = {
  metadata: { name: 'few' },
  spec: {
    policyName: 'few',
    validationActions: ['Deny'],
    paramRef: { name: 'limits', namespace: 'default', parameterNotFoundAction: 'Deny' },
  },
};
const items = (...list: readonly unknown[]) => ({ metadata: {}, items: list });
const secret = (name: string, namespace: string, data: object) => ({
  metadata: { name, namespace },
  data,
});
const admission = '/apis/admissionregistration.k8s.io/v1';
const answers: Answers = {
  '/version': { major: '1', minor: '36+' },
  '/apis': {
    groups: [{ preferredVersion: { groupVersion: 'admissionregistration.k8s.io/v1' } }],
  },
  '/api/v1': {
    resources: [
      listable('namespaces', 'Namespace', false),
      listable('secrets', 'Secret', true),
      listable('configmaps', 'ConfigMap', true),
      { name: 'bindings', kind: 'Binding', namespaced: true, verbs: ['create'] },
    ],
  },
  [admission]: { resources: policyResources },
  '/api/v1/namespaces?limit=500': items(
    { metadata: { name: 'prod', labels: { env: 'prod' } } },
    { metadata: { name: 'dev', labels: { env: 'dev' } } },
  ),
  '/api/v1/configmaps?limit=500': items({
    metadata: { name: 'limits', namespace: 'default' },
    data: { most: '1' },
  }),
  [`${admission}/validatingadmissionpolicies?limit=500`]: items(policy),
  [`${admission}/validatingadmissionpolicybindings?limit=500`]: items(binding),
  '/api/v1/secrets?limit=500': {
    metadata: { continue: 'next page' },
    items: [secret('many', 'prod', { a: 'YQ==', b: 'YQ==' })],
  },
  '/api/v1/secrets?limit=500&continue=next%20page': items(
    secret('one', 'prod', { a: 'YQ==' }),
    secret('many', 'dev', { a: 'YQ==', b: 'YQ==' }),
  ),
  '/api/v1/namespaces/prod/secrets?limit=500': items(secret('one', 'prod', { a: 'YQ==' })),
};

/** A program of the shell: another Node for each question would take most of the time of these tests. */
const kubectl = `#!/bin/sh
PATH=/usr/bin:/bin
if [ "$1 $2 $3 $4 $6" != '--context c get --raw --request-timeout=60s' ]; then
  echo "error: context \\"$2\\" does not exist" >&2
  exit 1
fi
answer="\${0%/*}/answers/$(printf %s "$5" | tr -c A-Za-z0-9 _)"
[ -f "$answer" ] && exec cat "$answer"
if [ -f "$answer.forbidden" ]; then echo 'Error from server (Forbidden): no' >&2
else echo 'Error from server (NotFound): none' >&2
fi
exit 1
`;

/** The file from which the program reads an answer, and its content. */
function answerFile([path, answer]: readonly [string, unknown]): [string, string] {
  const file = `bin/answers/${path.replaceAll(/[^A-Za-z0-9]/g, '_')}`;
  if (answer === 'forbidden') return [`${file}.forbidden`, ''];
  if (typeof answer === 'string') return [file, answer.replace(/^text:/, '')];
  return [file, `${JSON.stringify(answer)}\n`];
}

async function runWith(
  given: Answers,
  args: readonly string[],
  files: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const answerFiles = Object.fromEntries(Object.entries(given).map(answerFile));
  const all = { ...files, ...answerFiles, 'bin/kubectl': kubectl };
  return withFiles(all, async (folder) => {
    for (const file of Object.keys(all)) {
      if (dirname(file) === 'bin') chmodSync(`${folder}/${file}`, 0o755);
    }
    const before = process.cwd();
    process.chdir(folder);
    try {
      return await runHere(args, { env: { PATH: `${folder}/bin` } });
    } finally {
      process.chdir(before);
    }
  });
}

test('scan asks the policies of a cluster about its objects, page by page', async () => {
  const { exitCode, stdout, stderr } = await runWith(answers, ['scan', '--context', 'c']);
  expect(stderr).toBe('');
  expect(stdout).toBe(`c:secrets/prod/many
  ✗ Secret prod/many, line 1: denied
      denied by few: failed expression: object.data.size() <= int(params.data.most) (parameters default/limits)

c:secrets/prod/one
  ✓ Secret prod/one, line 1: allowed

c:secrets/dev/many
  - Secret dev/many, line 1: not matched
      no policy matches it

3 objects checked by 1 policy with 1 binding: 1 denied, 1 allowed, 1 not matched
`);
  expect(exitCode).toBe(1);
});

test('one namespace alone, with the version of the cluster in the report', async () => {
  const args = ['scan', '--context', 'c', '-n', 'prod', '-o', 'json'];
  const { exitCode, stdout } = await runWith(answers, args);
  const { kubernetesVersion, results } = JSON.parse(stdout) as {
    readonly kubernetesVersion: string;
    readonly results: readonly unknown[];
  };
  expect([kubernetesVersion, results.length, exitCode]).toEqual(['1.36', 1, 0]);
});

test.each([
  [
    ['--kinds', 'Secret,Configmapp'],
    '--kinds Configmapp: the cluster has no such kind (did you mean `ConfigMap`?)',
  ],
  [['-n', 'prd'], 'cluster c has no objects in the namespace prd that the policies can match'],
])('what is not there is not scanned in silence: %j', async (words, message) => {
  const inPrd = { ...answers, '/api/v1/namespaces/prd/secrets?limit=500': items() };
  const { exitCode, stderr } = await runWith(inPrd, ['scan', '--context', 'c', ...words]);
  expect(stderr).toBe(`error: ${message}\n`);
  expect(exitCode).toBe(2);
});

test('scans the given kinds once', async () => {
  const args = ['scan', '--context', 'c', '--kinds', 'secret,secrets', '-o', 'ndjson'];
  const { exitCode, stdout } = await runWith(answers, args);
  expect(stdout.match(/"deny"/g)?.length).toBe(1);
  expect(exitCode).toBe(1);
});

const manifest = `apiVersion: v1
kind: Secret
metadata: {name: new, namespace: prod}
data: {a: YQ==, b: YQ==}
`;

test('check takes policies, parameters and namespaces from a cluster', async () => {
  const args = ['check', '--context', 'c', '-r', 'new.yaml'];
  const { exitCode, stdout, stderr } = await runWith(answers, args, { 'new.yaml': manifest });
  expect([exitCode, stderr]).toEqual([1, '']);
  expect(stdout).toContain('denied by few');
});

const helm = `#!/bin/sh
for each; do case "$each" in --kube-version=*)
  printf 'apiVersion: v1\\nkind: Secret\\nmetadata: {name: for-%s, namespace: prod}\\n' "\${each#*=}"
esac; done
`;

test.each([
  [[], 'for-1.36'],
  [['--kubernetes-version', '1.34'], 'for-1.34'],
])('charts are rendered for the version of the cluster: %j', async (words, name) => {
  const args = ['check', '--context', 'c', '-r', 'shop', ...words];
  const files = { 'shop/Chart.yaml': 'name: shop', 'bin/helm': helm };
  const { stdout } = await runWith(answers, args, files);
  expect(stdout).toContain(`Secret prod/${name}`);
});

const definitions = '/apis/apiextensions.k8s.io/v1';
const newer: Answers = {
  ...answers,
  '/version': { major: '1', minor: '61' },
  '/api/v1/namespaces?limit=500': items({
    metadata: { name: 'prod', labels: { env: 'prod' } },
    spec: { tier: 'gold' },
  }),
  [definitions]: {
    resources: [listable('customresourcedefinitions', 'CustomResourceDefinition', false)],
  },
  [`${definitions}/customresourcedefinitions?limit=500`]: items({
    metadata: { name: 'shops.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'shops', singular: 'shop', kind: 'Shop', listKind: 'ShopList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          maturity: 'high',
          schema: { openAPIV3Schema: { type: 'object' } },
        },
      ],
    },
  }),
  [`${admission}/validatingadmissionpolicies?limit=500`]: items({
    ...policy,
    spec: { ...policy.spec, evaluation: 'lazy' },
  }),
};

test.each([
  ['check', ['check', '--context', 'c', '-r', 'new.yaml']],
  ['scan', ['scan', '--context', 'c']],
])(
  'fields of a cluster that is newer than what is known are told of by %s, and no error',
  async (command, args) => {
    const { exitCode, stdout, stderr } = await runWith(newer, args, { 'new.yaml': manifest });
    const passed = 'ignored, because the cluster accepted it: unknown field';
    expect(stderr).toContain(
      'the server runs Kubernetes 1.61, which is newer than all supported versions; 1.37 is used instead',
    );
    expect(stderr).toMatch(
      new RegExp(
        `c:validatingadmissionpolicies/few:\\d+:\\d+: warning: ${passed} "spec.evaluation"`,
      ),
    );
    if (command === 'check') {
      expect(stderr).toMatch(
        new RegExp(`c:namespaces/prod:\\d+:\\d+: warning: ${passed} "spec.tier"`),
      );
      expect(stderr).toContain(`${passed} "spec.versions[0].maturity"`);
    }
    expect(stderr).not.toContain('error');
    expect(stdout).toContain('denied by few');
    expect(exitCode).toBe(1);
  },
);

test('evaluates a policy of a file instead of that of the cluster', async () => {
  const local = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    ...policy,
    metadata: { name: 'few' },
    spec: { ...policy.spec, validations: [{ expression: 'false', message: 'local' }] },
  };
  const args = ['check', '--context', 'c', '-p', 'p.json', '-r', 'new.yaml'];
  const files = { 'new.yaml': manifest, 'p.json': JSON.stringify(local) };
  const { stdout, stderr } = await runWith(answers, args, files);
  expect(stderr).toBe('');
  expect(stdout).toContain('denied by few: local');
});

test.each<readonly [string, Answers, readonly string[], string]>([
  [
    'a context that there is not',
    answers,
    ['scan', '--context', 'x'],
    'context "x" does not exist',
  ],
  [
    'what nobody may list',
    { ...answers, '/api/v1/secrets?limit=500': 'forbidden' },
    ['scan', '--context', 'c'],
    'Forbidden',
  ],
  [
    'a server that says nothing',
    {},
    ['check', '--context', 'c', 'new.yaml'],
    'it does not serve /version',
  ],
  [
    'the page of a login',
    { ...answers, '/version': 'text:<html>log in</html>' },
    ['check', '--context', 'c', 'new.yaml'],
    'error: cluster c: the response to /version is not a Kubernetes object: "<html>log in</html>"\n',
  ],
  [
    'half of an answer',
    {
      ...answers,
      '/api/v1/secrets?limit=500': 'text:{"metadata": {"continue": "a"}, "items": [{"kind"',
    },
    ['scan', '--context', 'c'],
    'the response to /api/v1/secrets?limit=500 is not a Kubernetes object: "{\\"metadata\\"',
  ],
  [
    'an answer of nothing',
    { ...answers, [admission]: 'text:' },
    ['scan', '--context', 'c'],
    `the response to ${admission} is not a Kubernetes object: nothing`,
  ],
  [
    'a list without objects',
    { ...answers, '/api/v1/secrets?limit=500': {} },
    ['scan', '--context', 'c'],
    'the response to /api/v1/secrets?limit=500 has no list in `items`',
  ],
  [
    'a server without a version',
    { ...answers, '/version': { major: '1' } },
    ['scan', '--context', 'c'],
    'it does not report its version',
  ],
])('%s ends with 4', async (_, given, args, text) => {
  const { exitCode, stdout, stderr } = await runWith(given, args, { 'new.yaml': manifest });
  expect(stderr).toContain(text);
  expect([exitCode, stdout]).toEqual([4, '']);
});

test.each<readonly [string, Answers, readonly string[], string]>([
  [
    'no policies',
    { ...answers, [admission]: { resources: [] } },
    ['scan', '--context', 'c'],
    'cluster c has no policies',
  ],
  [
    'no objects',
    { ...answers, '/api/v1/secrets?limit=500': items() },
    ['scan', '--context', 'c'],
    'has no objects that the policies can match',
  ],
  [
    'no context',
    answers,
    ['check', '--kubeconfig', 'k', 'new.yaml'],
    '--kubeconfig requires --context',
  ],
])('%s is an error', async (_, given, args, text) => {
  const { exitCode, stderr } = await runWith(given, args, { 'new.yaml': manifest });
  expect(stderr).toContain(text);
  expect(exitCode).toBe(2);
});

test('a policy file with an unknown field is one that the server would refuse', async () => {
  const wrong = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'few' },
    spec: { ...policy.spec, failurePolice: 'Fail' },
  };
  const files = { 'p.json': JSON.stringify(wrong) };
  const { exitCode, stderr } = await runWith(answers, ['scan', '--context', 'c', 'p.json'], files);
  expect(stderr).toContain('failurePolice');
  expect(exitCode).toBe(3);
});

const kyvernoGroup = '/apis/kyverno.io';
const needsTeam = {
  metadata: { name: 'need-team' },
  spec: {
    rules: [
      {
        name: 'team',
        match: { any: [{ resources: { kinds: ['Secret'] } }] },
        validate: {
          failureAction: 'Enforce',
          message: 'a team is needed',
          pattern: { metadata: { labels: { team: '?*' } } },
        },
      },
    ],
  },
};
const exception = (namespace: string) => ({
  metadata: { name: 'all-secrets', namespace },
  spec: {
    exceptions: [{ policyName: 'need-team', ruleNames: ['team'] }],
    match: { any: [{ resources: { kinds: ['Secret'] } }] },
  },
});
const withException: Answers = {
  ...answers,
  [`${admission}/validatingadmissionpolicies?limit=500`]: items(),
  [`${admission}/validatingadmissionpolicybindings?limit=500`]: items(),
  [`${kyvernoGroup}/v1`]: { resources: [listable('clusterpolicies', 'ClusterPolicy', false)] },
  [`${kyvernoGroup}/v2`]: { resources: [listable('policyexceptions', 'PolicyException', true)] },
  [`${kyvernoGroup}/v1/clusterpolicies?limit=500`]: items(needsTeam),
  [`${kyvernoGroup}/v2/policyexceptions?limit=500`]: items(exception('tenant'), exception('sec')),
  [`${kyvernoGroup}/v2/namespaces/tenant/policyexceptions?limit=500`]: items(exception('tenant')),
  [`${kyvernoGroup}/v2/namespaces/other/policyexceptions?limit=500`]: items(),
  '/api/v1/secrets?limit=500': items(secret('one', 'prod', {})),
};

describe.each([
  ['scan', ['scan', '--context', 'c']],
  ['check', ['check', '--context', 'c', 'secret.yaml']],
] as const)('%s applies PolicyExceptions of the cluster', (_, args) => {
  test.each([
    [
      'not by default, and says so',
      [],
      1,
      'cluster c: warning: PolicyExceptions do not apply without --exception-namespace; the cluster has 2\n',
    ],
    ['not those of other namespaces', ['--exception-namespace', 'other'], 1, ''],
    [
      'of the given namespace, and names them',
      ['--exception-namespace', 'tenant'],
      0,
      'cluster c: warning: these PolicyExceptions apply: tenant/all-secrets\n',
    ],
    [
      'of all namespaces, and names them',
      ['--exception-namespace', '*'],
      0,
      'cluster c: warning: these PolicyExceptions apply: sec/all-secrets, tenant/all-secrets\n',
    ],
  ])('%s', async (_name, option, code, message) => {
    const files = { 'secret.yaml': manifest };
    const { exitCode, stderr } = await runWith(withException, [...args, ...option], files);
    expect([exitCode, stderr]).toEqual([code, message]);
  });
});

test('scan applies PolicyExceptions of the given namespace to policies of files', async () => {
  const files = {
    'p.yaml': JSON.stringify({ apiVersion: 'kyverno.io/v1', kind: 'ClusterPolicy', ...needsTeam }),
  };
  const args = ['scan', '--context', 'c', 'p.yaml'];
  expect(await runWith(withException, args, files)).toMatchObject({ exitCode: 1, stderr: '' });
  const option = ['--exception-namespace', 'tenant'];
  expect(await runWith(withException, [...args, ...option], files)).toMatchObject({
    exitCode: 0,
    stderr: 'cluster c: warning: these PolicyExceptions apply: tenant/all-secrets\n',
  });
});

test.each([
  [['--exception-namespace', 'A'], 'Expected the name of a namespace, or *.'],
  [['--exception-namespace', 'a'], '--exception-namespace requires --context'],
])('check refuses %j', async (option, message) => {
  const { exitCode, stderr } = await runWith(answers, ['check', 'a.yaml', ...option], {
    'a.yaml': manifest,
  });
  expect(exitCode).toBe(2);
  expect(stderr).toContain(message);
});
