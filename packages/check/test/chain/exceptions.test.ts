import { describe, expect, test } from 'vitest';
import { admitObject, prepareChain } from '../../src/index.ts';

const resourceRules = [
  { apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] },
];
const policy = {
  apiVersion: 'policies.kyverno.io/v1',
  kind: 'ValidatingPolicy',
  metadata: { name: 'p' },
  spec: { matchConstraints: { resourceRules }, validations: [{ expression: 'false' }] },
};
const object = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'c', namespace: 'default' },
};
const expiresAt = '2030-01-01T00:00:00Z';
const expiry = Date.parse(expiresAt);

function exception(spec: object): object {
  const policyRefs = [{ name: 'p', kind: 'ValidatingPolicy' }];
  return {
    apiVersion: 'policies.kyverno.io/v1',
    kind: 'PolicyException',
    metadata: { name: 'e', namespace: 'default' },
    spec: { policyRefs, ...spec },
  };
}

async function admitAt(now: number, ...resources: readonly object[]) {
  const chain = await prepareChain({
    resources: [policy, ...resources] as never,
    clock: () => now,
    onErrors: 'report',
  });
  const { allowed } = admitObject(chain, object as never);
  return { allowed, errors: chain.errors, chain };
}

describe('an exception that expires', () => {
  test.each([
    ['applies before it expires', expiry - 1, true],
    ['applies at the moment itself', expiry, true],
    ['does not apply after it has expired', expiry + 1, false],
  ])('%s', async (_, now, isAllowed) => {
    const { allowed, errors } = await admitAt(now, exception({ expiresAt }));
    expect({ allowed, errors }).toEqual({ allowed: isAllowed, errors: [] });
  });

  test('stops applying while the policies stay loaded', async () => {
    let now = expiry;
    const resources = [policy, exception({ expiresAt })] as never;
    const chain = await prepareChain({ resources, clock: () => now });
    expect(admitObject(chain, object as never).allowed).toBe(true);
    now = expiry + 1;
    expect(admitObject(chain, object as never).allowed).toBe(false);
  });

  test('is reported once it has expired', async () => {
    const { chain } = await admitAt(expiry + 1, exception({ expiresAt }));
    expect(chain.kyverno?.diagnostics.notes().map(({ message }) => message)).toEqual([
      `the exception expired at ${expiresAt} and no longer applies`,
    ]);
    const { chain: before } = await admitAt(expiry, exception({ expiresAt }));
    expect(before.kyverno?.diagnostics.notes()).toEqual([]);
  });
});

describe('an exception that Kyverno refuses', () => {
  const condition = { name: 'c', expression: 'true' };
  test.each([
    ['no reference', { policyRefs: [] }, 'spec.policyRefs: Invalid value: []: must specify'],
    [
      'a condition that does not compile',
      { matchConditions: [{ ...condition, expression: 'objekt == 1' }] },
      "undeclared reference to 'objekt'",
    ],
    [
      'a condition that is not a boolean',
      { matchConditions: [{ ...condition, expression: '1' }] },
      'output is expected to be of type bool',
    ],
    [
      "a condition with one of Kyverno's libraries",
      { matchConditions: [{ ...condition, expression: "random('a') == 'a'" }] },
      "undeclared reference to 'random'",
    ],
    [
      'two conditions with one name',
      { matchConditions: [condition, condition] },
      'spec.matchConditions[1].name: Duplicate value: "c"',
    ],
  ])('never applies: %s', async (_, spec, message) => {
    const { allowed, errors } = await admitAt(0, exception(spec));
    expect(allowed).toBe(false);
    expect(errors.map((each) => `${each.resource}: ${each.message}`).join()).toContain(message);
  });
});

describe('request.object and request.oldObject', () => {
  test.each([
    ["request.object.metadata.name == 'c'", true],
    ['request.oldObject == null', true],
    ['request.object == object', true],
  ])('%s holds for a creation', async (expression, isAllowed) => {
    const reading = { ...policy, spec: { ...policy.spec, validations: [{ expression }] } };
    const resources = [reading] as never;
    const chain = await prepareChain({ resources, clock: () => 0 });
    expect(admitObject(chain, object as never).allowed).toBe(isAllowed);
  });

  test('stay as they were sent while MutatingPolicies change the object', async () => {
    const mutation = (name: string, expression: string) => ({
      apiVersion: 'policies.kyverno.io/v1',
      kind: 'MutatingPolicy',
      metadata: { name },
      spec: {
        matchConstraints: { resourceRules },
        mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }],
      },
    });
    const resources = [
      mutation('a', 'Object{data: Object.data{first: "1"}}'),
      mutation(
        'b',
        'Object{data: Object.data{second: string(has(request.object.data)) + string(has(object.data)) + string(size(request.oldObject))}}',
      ),
    ] as never;
    const chain = await prepareChain({ resources, clock: () => 0 });
    const passage = admitObject(chain, object as never);
    expect(passage.object?.['data']).toEqual({ first: '1', second: 'falsetrue0' });
  });
});

// Kyverno's engines of each kind: only that of ValidatingPolicies asks the failure policy.
describe('match conditions of an exception that fail', () => {
  const failing = [{ name: 'c', expression: "object.metadata.labels.a == 'b'" }];
  const never = { name: 'n', expression: 'false' };
  const validations = [{ expression: 'false' }];
  const mutations = [
    {
      patchType: 'ApplyConfiguration',
      applyConfiguration: { expression: 'Object{data: Object.data{a: "b"}}' },
    },
  ];
  test.each([
    ['ValidatingPolicy', 'Fail', failing, ['error']],
    ['ValidatingPolicy', 'Ignore', failing, ['deny']],
    ['ValidatingPolicy', 'Fail', [...failing, never], ['deny']],
    ['MutatingPolicy', 'Fail', failing, ['error']],
    ['MutatingPolicy', 'Ignore', failing, ['ignore']],
    ['MutatingPolicy', 'Ignore', [...failing, never], ['mutate']],
  ] as const)(
    'of a %s with the failure policy %s: %j',
    async (kind, failurePolicy, conditions, verdicts) => {
      const does = kind === 'MutatingPolicy' ? { mutations } : { validations };
      const spec = { matchConstraints: { resourceRules }, failurePolicy, ...does };
      const resources = [
        { ...policy, kind, spec },
        exception({ policyRefs: [{ name: 'p', kind }], matchConditions: conditions }),
      ] as never;
      const chain = await prepareChain({ resources, clock: () => 0 });
      const { findings } = admitObject(chain, object as never);
      expect(findings.map(({ verdict }) => verdict)).toEqual(verdicts);
    },
  );
});
