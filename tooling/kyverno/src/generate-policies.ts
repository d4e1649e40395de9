import { phrases, type Random } from '@kubeadmit/random';
import { generateMutation } from './generate-mutation.ts';
import { generatePodSecurity } from './generate-pod-security.ts';
import type { Made } from './generate-resource.ts';
import { generateValidation } from './generate-rules.ts';
import { places } from './places.ts';

const texts = [
  '',
  ...phrases`
    *  x  Pod  a*  {{ request.object.metadata.name }}  {{request.operation}}  {{ element.name }}
    {{ elementIndex }}  {{ nope.x }}  {{ serviceAccountName }}  {{ request.userInfo.username }}
    {{ request.roles }}  {{ images.containers }}  {{ length(request.object.a) || '' }}  {{ a[ }}
    {{ }}  {{@}}  {{ target.metadata.name }}  \{{ nope }}  $(./../x)  Enforce  enforce  audit
    default  CREATE  kube-*  v1/Pod
  `,
  '- op: add\n  path: /a\n  value: 1',
  '- op: add\n  path: a\n  value: 1',
  '- op: add\n  path: "/{{ request.object.x }}"\n  value: 1',
  ...phrases`
    - op: remove  [{"op": "nope", "path": "/a"}]  a: b: c  replicas  .status  All  One
  `,
];

const values: readonly unknown[] = [
  null,
  true,
  false,
  0,
  5,
  31,
  1.5,
  -1,
  99_999_999_999,
  [],
  {},
  ['a'],
  ['*'],
  ['*', 'Pod'],
  ['CREATE', 'x'],
  ['CREATE', 5],
  [{}],
  [{ a: 1 }],
  { a: 1 },
  { '+(a)': 1 },
  { '^(a)': [] },
  { '^(a)': 5 },
  { metadata: { labels: { a: 1 } } },
  { metadata: { labels: { a: 'b' } } },
  { matchLabels: {} },
  { matchExpressions: [{ key: 'a', operator: 'Nope' }] },
];

/** Members that rules may have, to be put anywhere of their kind. */
const members: readonly (readonly [string, readonly unknown[]])[] = [
  ['name', ['r', 'p', '', 'n'.repeat(64)]],
  ['names', [['a'], []]],
  ['kinds', [['Pod'], ['*'], ['Pod', 'Deployment'], [], ['*', 'Pod']]],
  ['namespaces', [['a'], ['a*'], []]],
  ['namespace', ['a', '']],
  ['selector', [{}, { matchLabels: { a: 'b' } }, { matchLabels: { 'a*': 'b' } }]],
  ['any', [[], [{ resources: { kinds: ['Pod'] } }], [{}], [{ resources: {} }]]],
  ['all', [[], [{ resources: { kinds: ['Pod'] } }], [{ resources: { name: 'a' } }]]],
  ['resources', [{}, { kinds: ['Pod'] }, { name: 'x' }]],
  ['roles', [['a:b'], ['a'], []]],
  ['clusterRoles', [['admin'], []]],
  [
    'subjects',
    [
      [{ kind: 'User', name: 'a' }],
      [{ kind: 'ServiceAccount', name: 'a' }],
      [{ kind: 'X' }],
      [{ name: 'a' }],
      [],
    ],
  ],
  [
    'exclude',
    [{ any: [{ resources: { kinds: ['Pod'] } }] }, { resources: { kinds: ['Pod'] } }, {}],
  ],
  ['background', [true, false]],
  ['admission', [true, false]],
  ['failurePolicy', ['Ignore', 'Fail']],
  ['webhookTimeoutSeconds', [0, 5, 31]],
  ['webhookConfiguration', [{ timeoutSeconds: 5 }, { timeoutSeconds: 31, failurePolicy: 'Fail' }]],
  ['generateExistingOnPolicyUpdate', [true, false]],
  ['mutateExistingOnPolicyUpdate', [true, false]],
  ['validationFailureAction', ['audit', 'Enforce', 'enforce', 'x']],
  [
    'validationFailureActionOverrides',
    [
      [{ action: 'audit', namespaces: ['a'] }],
      [
        { action: 'Audit', namespaces: ['a'] },
        { action: 'Enforce', namespaces: ['a', 'b'] },
      ],
      [
        { action: 'Audit', namespaces: ['a*'] },
        { action: 'Enforce', namespaces: ['ab'] },
      ],
      [{ action: 'x' }],
    ],
  ],
  [
    'failureActionOverrides',
    [
      [{ action: 'enforce', namespaces: ['a'] }],
      [
        { action: 'Enforce', namespaces: ['a*'] },
        { action: 'Audit', namespaces: ['*'] },
      ],
    ],
  ],
  [
    'context',
    [
      [{ name: 'a', variable: { value: 1 } }],
      [{ name: 'nope', variable: { jmesPath: 'a[' } }],
      [{ name: 'a', variable: { default: 1 } }],
      [{ name: 'a', variable: { value: 1, default: 2 } }],
      [{ name: 'request', variable: { value: 1 } }],
      [{ name: 'images.x', variable: { value: 1 } }],
      [{ name: '', variable: { value: 1 } }],
      [{ name: 'a' }],
      [{ name: 'a', variable: { value: 1 }, configMap: { name: 'x', namespace: 'y' } }],
      [{ name: 'a', configMap: { name: 'x' } }],
      [{ name: 'nope', configMap: { name: 'x', namespace: 'y' } }],
      [{ name: 'a', apiCall: { urlPath: '/a', jmesPath: 'b' } }],
      [{ name: 'a', apiCall: { urlPath: '/a', service: { url: 'x' } } }],
      [{ name: 'a', imageRegistry: { reference: 'A:b:c' } }],
      [{ name: 'a', imageRegistry: { reference: '' } }],
      [{ name: 'a', globalReference: { name: 'x' } }],
      [{ name: 'a', globalReference: { name: '' } }],
    ],
  ],
  [
    'preconditions',
    [
      [],
      {},
      5,
      { any: [{ key: 'a', operator: 'Nope', value: 'b' }] },
      { all: [{ key: 'a', operator: 'In', value: ['b'] }] },
      [{ key: 'a', operator: 'Equals' }],
      { any: [{ key: '{{ request.operation }}', operator: 'Equals', value: 'MAKE' }] },
      { any: [{ key: '{{ request.operation }}', operator: 'AnyIn', value: ['CREATE', 'x'] }] },
      { any: [{ key: '{{ request.operation }}', operator: 'AnyIn', value: '{{ x }}' }] },
      { all: [{ key: '{{ request.operation }}', operator: 'AnyIn', value: 5 }] },
    ],
  ],
  [
    'deny',
    [
      {},
      { conditions: [] },
      { conditions: { any: [{ key: 'a', operator: 'NotIn', value: 'b' }] } },
      { conditions: { all: [{ key: 'a', operator: 'nope', value: 'b' }] } },
      { conditions: [{ key: '{{ request.object.metadata.name }}', operator: 'In', value: 'b' }] },
      { conditions: { any: 5 } },
    ],
  ],
  ['pattern', [{ metadata: {} }, { spec: { a: 1 } }, { '+(a)': 'b' }, 'x']],
  ['anyPattern', [[{ metadata: {} }], [], {}, [{ spec: { '^(a)': {} } }]]],
  [
    'foreach',
    [
      [{ list: 'a', pattern: {} }],
      [{ list: '', pattern: {} }],
      [{ list: 'a' }],
      [{ list: 'a', deny: {}, pattern: {} }],
      [{ list: 'a', patchStrategicMerge: { a: '{{ element }}' } }],
      [{ list: 'a', foreach: [{ list: 'b', patchesJson6902: 'x' }] }],
      [{ list: 'a', context: [], foreach: [{ list: 'b', patchesJson6902: 'x' }] }],
      [{ list: 'a', foreach: [{ list: 5 }] }],
      [],
    ],
  ],
  ['podSecurity', [{ level: 'baseline', exclude: [{ controlName: 'Volume Types' }] }, {}]],
  [
    'cel',
    [
      { expressions: [{ expression: 'true' }] },
      { expressions: [{ expression: '' }] },
      { paramKind: { apiVersion: 'v1' } },
      { paramKind: { apiVersion: 'v1', kind: 'A' } },
      { paramRef: { name: 'a' } },
      { paramRef: {} },
      { auditAnnotations: [{ key: 'a' }] },
    ],
  ],
  ['celPreconditions', [[{ name: 'a', expression: 'true' }], []]],
  ['mutate', [{}, { patchStrategicMerge: { a: 1 } }, { patchesJson6902: 'a: 1' }]],
  [
    'targets',
    [
      [{ apiVersion: 'v1', kind: 'Pod', name: '{{ target.x }}' }],
      [{ kind: 'Pod', namespace: 'x' }],
      [],
    ],
  ],
  ['patchesJson6902', ['- op: add\n  path: /a\n  value: 1', '- path: a\n  op: remove', 'x']],
  ['patchStrategicMerge', [{ metadata: { labels: { a: 5 } } }, { spec: {} }]],
  [
    'generate',
    [
      { kind: 'ConfigMap', apiVersion: 'v1', name: 'a', namespace: 'b', data: {} },
      { kind: 'ConfigMap', data: { '(a)': 1 } },
      { cloneList: { kinds: ['v1/Secret'], namespace: 'a' } },
      { cloneList: { kinds: ['v1/Secret'] }, data: {} },
      { clone: { name: 'a', namespace: 'b' }, kind: 'Secret', apiVersion: 'v1', name: 'x' },
    ],
  ],
  [
    'verifyImages',
    [
      [{ imageReferences: ['*'] }],
      [{ imageReferences: ['{{ x }}'] }],
      [{ imageReferences: [], required: true }],
      [{ imageReferences: ['*'], mutateDigest: true }],
      [{ imageReferences: ['*'], attestors: [{ count: 2, entries: [{ keys: {} }] }] }],
      [{ imageReferences: ['*'], attestors: [{ entries: [] }] }],
      [
        {
          imageReferences: ['*'],
          attestors: [{ entries: [{ keys: { publicKeys: 'x' }, keyless: { roots: '' } }] }],
        },
      ],
      [{ imageReferences: ['*'], attestations: [{ predicateType: 'a', type: 'b' }] }],
    ],
  ],
  ['imageExtractors', [{ Task: [{ path: '/a/b' }] }]],
  ['rules', [[], {}]],
  ['annotations', [{ 'pod-policies.kyverno.io/autogen-controllers': 'all' }, { a: 1 }]],
  ['message', ['{{ request.object.x }}', '{{ nope }}', '{{ element }}']],
];

/** Every map and list of a document. */
function holders(document: object): object[] {
  const below = places(document).map(([holder, key]) => holder[key]);
  return [document, ...below].filter((value) => typeof value === 'object' && value !== null);
}

/** Changes a few things of a policy. */
export function spoil(random: Random, policy: object): void {
  for (let edits = random.below(4); edits > 0; edits--) {
    const place = random.pick(holders(policy));
    const keys = Object.keys(place);
    const made = place as Made;
    const key = keys.length > 0 ? random.pick(keys) : 'a';
    const [name, choices] = random.pick(members);
    switch (random.below(6)) {
      case 0:
        if (Array.isArray(place)) place.splice(Number(key) || 0, 1);
        else delete made[key];
        break;
      case 1:
        made[key] = random.pick(values);
        break;
      case 2:
        if (typeof made[key] === 'string') made[key] = random.pick(texts);
        break;
      case 3:
        if (Array.isArray(place) && keys.length > 0) place.push(structuredClone(made[key]));
        break;
      default:
        if (!Array.isArray(place)) made[name] = structuredClone(random.pick(choices));
    }
  }
}

/** A case of `validate`: a policy with a few things changed. */
export function generatePolicy(random: Random): object {
  const generate = random.pick([
    generateValidation,
    generateValidation,
    generateMutation,
    generatePodSecurity,
  ]);
  const { policies } = generate(random) as { policies: Made[] };
  const policy = structuredClone(random.pick(policies));
  spoil(random, policy);
  return { policy };
}

/** An answer in which the operators that Kyverno lists in random order are left out. */
export function withoutOperators(answer: string): string {
  return answer.replaceAll(/(?<=valid values: )\[.*?\]/g, '[]');
}
