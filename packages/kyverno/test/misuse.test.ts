import { expect, test } from 'vitest';
import {
  applyPolicies,
  compileCelPolicy,
  compileConfiguration,
  compileException,
  compilePolicy,
  mutateRequest,
  validateRequest,
} from '../src/index.ts';
import { compileExpression, search } from '../src/jmespath.ts';

// A policy without rules allows everything, so an object that is not a Kyverno policy must be rejected.

const native = { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingAdmissionPolicy' };

test.each<[unknown, string]>([
  [undefined, 'got undefined'],
  ['kind: ClusterPolicy', 'got the string "kind: ClusterPolicy"'],
  [[{ kind: 'ClusterPolicy' }], 'got a list'],
  [{ spec: { rules: [] } }, 'got an object without kind'],
  [native, 'got one of the kind ValidatingAdmissionPolicy'],
  [{ kind: 'ValidatingPolicy' }, 'got one of the kind ValidatingPolicy'],
])('compilePolicy takes classic policies: %j', (given, problem) => {
  const what = 'an object of the kind ClusterPolicy or Policy';
  const expected = new TypeError(`compilePolicy: expected ${what}, ${problem}`);
  expect(() => compilePolicy(given as object as never)).toThrow(expected);
});

test.each<[unknown, string]>([
  [null, 'got null'],
  [native, 'got one of the kind ValidatingAdmissionPolicy'],
  [{ kind: 'ClusterPolicy' }, 'got one of the kind ClusterPolicy'],
])('compileCelPolicy takes policies in CEL: %j', (given, problem) => {
  const kinds = ['Validating', 'Mutating', 'Generating', 'Deleting', 'ImageValidating']
    .flatMap((type) => [`${type}Policy`, `Namespaced${type}Policy`])
    .join(' or ');
  const expected = new TypeError(
    `compileCelPolicy: expected an object of the kind ${kinds}, ${problem}`,
  );
  expect(() => compileCelPolicy(given as object as never, { clock: () => 0 })).toThrow(expected);
});

const classic = { apiVersion: 'kyverno.io/v1', kind: 'ClusterPolicy', metadata: { name: 'p' } };
const compiled = compilePolicy({ ...classic, spec: { rules: [] } } as never);
const inCel = compileCelPolicy(
  {
    apiVersion: 'policies.kyverno.io/v1',
    kind: 'MutatingPolicy',
    metadata: { name: 'p' },
    spec: {},
  } as never,
  { clock: () => 0 },
);
const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } };
const setting = () => ({}) as never;
const made = 'a list of results of `compilePolicy`';

test.each<[string, () => unknown, string]>([
  [
    'a policy that is not compiled',
    () => applyPolicies([compiled, classic] as never, object, setting),
    `applyPolicies: expected ${made}, and [1] is an object`,
  ],
  [
    'one policy',
    () => applyPolicies(compiled as never, object, setting),
    `applyPolicies: expected ${made}, got an object of the class`,
  ],
  ['a text', () => applyPolicies('x' as never, object, setting), `${made}, got the string "x"`],
  [
    'no object',
    () => applyPolicies([compiled], undefined as never, setting),
    'applyPolicies: expected an object of Kubernetes, got undefined',
  ],
  [
    'no setting',
    () => applyPolicies([compiled], object, undefined as never),
    'applyPolicies: expected a function that returns the setting, got undefined',
  ],
  [
    'an option with a slip',
    () => applyPolicies([compiled], object, setting, { olny: 'mutate' } as never),
    'applyPolicies: unknown option `olny` (did you mean `only`?)',
  ],
  [
    'another word',
    () => applyPolicies([compiled], object, setting, { only: 'validating' } as never),
    'applyPolicies: `only` must be one of "mutate", "images", "validate", "generate", got the string "validating"',
  ],
  [
    'no exception',
    () => compileException(classic as never),
    'compileException: expected an object of the kind PolicyException, got one of the kind ClusterPolicy',
  ],
  [
    'no configuration',
    () => compileConfiguration(undefined as never),
    'compileConfiguration: expected a ConfigMap, got undefined',
  ],
  [
    'a policy in CEL that is not compiled',
    () => validateRequest({ kind: 'ValidatingPolicy', spec: {} } as never, {} as never),
    'validateRequest: expected a result of `compileCelPolicy`, got an object',
  ],
  [
    'the attributes for the request',
    () => validateRequest(inCel, { object, kind: {} } as never),
    'validateRequest: expected a request with `attributes` and `sources`, got an object',
  ],
  [
    'no request',
    () => mutateRequest(inCel, undefined as never, {} as never),
    'mutateRequest: expected a request with `attributes` and `sources`, got undefined',
  ],
  [
    'no schemas',
    () => mutateRequest(inCel, { attributes: {}, sources: {} } as never, undefined as never),
    'mutateRequest: expected schemas from `await loadSchemas()`, got undefined',
  ],
  [
    'no expression',
    () => compileExpression(undefined as never),
    'an expression is a string, not undefined',
  ],
  ['a list', () => search(['a'] as never, {}), 'an expression is a string, not a list'],
])('%s is a TypeError', (_name, call, message) => {
  expect(call).toThrow(TypeError);
  expect(call).toThrow(message.replace('an object of the class', 'an object'));
});

test.each([
  ['a Date', new Date(0), 'an object of the class Date (expected plain JSON data)'],
  ['a Promise', Promise.resolve(0), 'a Promise (await it)'],
  ['a text', '2026-01-01', 'the string "2026-01-01"'],
  ['no number', Number.NaN, 'the number NaN'],
])('a clock that gives %s is told of', (_name, time, what) => {
  const policy = compileCelPolicy(
    {
      apiVersion: 'policies.kyverno.io/v1',
      kind: 'ValidatingPolicy',
      metadata: { name: 'p' },
      spec: {
        matchConstraints: {
          resourceRules: [
            { apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['pods'] },
          ],
        },
        validations: [{ expression: 'time.now() > timestamp("2020-01-01T00:00:00Z")' }],
      },
    } as never,
    { clock: () => time as never },
  );
  const resource = { group: '', version: 'v1', resource: 'pods' };
  const kind = { group: '', version: 'v1', kind: 'Pod' };
  const attributes = {
    operation: 'CREATE',
    resource,
    kind,
    subresource: '',
    namespace: 'shop',
    name: 'a',
    object,
    oldObject: null,
    user: {},
  };
  const [response] = validateRequest(policy, { attributes, sources: {} } as never);
  const message = `error: internal error: \`clock\` must return milliseconds since 1970, as \`Date.now\` does, got ${what}`;
  expect(response).toEqual([{ status: 'error', message }]);
});
