import { loadSchemas } from '@kubeadmit/schemas';
import { expect, test } from 'vitest';
import { loadChain } from '../src/index.ts';

const schemas = await loadSchemas();
const rules = [
  { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['namespaces'] },
];

test.each([
  { evaluation: {}, skipsBackgroundChanges: true },
  { evaluation: { skipBackgroundRequests: true }, skipsBackgroundChanges: true },
  { evaluation: { skipBackgroundRequests: false }, skipsBackgroundChanges: false },
])(
  'policies in CEL with the evaluation $evaluation skip background changes: $skipsBackgroundChanges',
  async ({ evaluation, skipsBackgroundChanges }) => {
    const policy = (kind: string, spec: object): { readonly [name: string]: unknown } => ({
      apiVersion: 'policies.kyverno.io/v1',
      kind,
      metadata: { name: kind.toLowerCase() },
      spec: { matchConstraints: { resourceRules: rules }, ...spec },
    });
    const mutation = {
      patchType: 'ApplyConfiguration',
      applyConfiguration: { expression: 'Object{}' },
    };
    const chain = await loadChain({
      resources: [
        policy('GeneratingPolicy', { evaluation, generate: [{ expression: 'true' }] }),
        policy('MutatingPolicy', {
          evaluation: { ...evaluation, mutateExisting: { enabled: true } },
          mutations: [mutation],
        }),
      ],
      schemas,
      clock: () => 0,
    });
    const { generators = [], mutators = [] } = chain.kyverno?.background ?? {};
    const found = [...generators, ...mutators].flatMap((each) => [...each.rules.values()]);
    expect(found).toEqual([
      expect.objectContaining({ skipsBackgroundChanges }),
      expect.objectContaining({ skipsBackgroundChanges }),
    ]);
  },
);
