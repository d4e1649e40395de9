import { expect, test } from 'vitest';
import {
  collectParameters,
  compileMatch,
  compileParamRef,
  dependsOnObject,
  isExempt,
  isSeenByStaticPolicies,
  matchRequest,
  ParameterStore,
  PolicyIndex,
} from '../src/index.ts';

// Criteria without rules match everything, so an object that contains criteria must not be accepted as criteria.

test.each<[unknown, string]>([
  [undefined, 'got undefined'],
  ['pods', 'got the string "pods"'],
  [[{ resources: ['pods'] }], 'got a list'],
  [
    { matchConstraints: { resourceRules: [] } },
    'got the object that contains them, which would match everything',
  ],
  [
    { kind: 'ValidatingAdmissionPolicy', spec: {} },
    'got the object that contains them, which would match everything',
  ],
])('compileMatch takes criteria: %j', (given, problem) => {
  const what = 'the `matchConstraints` of a policy or the `matchResources` of a binding';
  const expected = new TypeError(`compileMatch: expected ${what}, ${problem}`);
  expect(() => compileMatch(given as object)).toThrow(expected);
});

test.each<[unknown, string]>([
  [null, 'got null'],
  ['limits', 'got the string "limits"'],
  [{ paramRef: { name: 'limits' } }, 'got the object that contains it'],
])('compileParamRef takes a reference: %j', (given, problem) => {
  const expected = new TypeError(
    `compileParamRef: expected the \`paramRef\` of a binding, ${problem}`,
  );
  expect(() => compileParamRef(given as object)).toThrow(expected);
});

const compiled = compileMatch({ resourceRules: [] });
const pods = { group: '', version: 'v1', resource: 'pods' };
const environment = {
  namespaceLabels: () => undefined,
  equivalents: () => [],
  kindFor: () => undefined,
};
const expectsRequest = ': expected a request with `resource: { group, version, resource }`, got';
const expectsMatch = ': expected the result of `compileMatch`, got';

// A resource without a group was exempt, as those are that policies never see.
test.each<[string, () => unknown, string]>([
  [
    'a resource as a text',
    () => isExempt({ resource: 'pods' } as never),
    `isExempt${expectsRequest} the string "pods"`,
  ],
  [
    'a resource without group',
    () => isExempt({ resource: { version: 'v1', resource: 'pods' } } as never),
    `isExempt${expectsRequest} an object`,
  ],
  ['no request', () => isExempt(undefined as never), `isExempt${expectsRequest} undefined`],
  [
    'a resource by itself',
    () => isSeenByStaticPolicies(pods as never),
    `isSeenByStaticPolicies${expectsRequest} the string "pods"`,
  ],
  [
    'criteria that are not compiled',
    () => matchRequest({ resourceRules: [] } as never, { resource: pods } as never, environment),
    `matchRequest${expectsMatch} an object`,
  ],
  [
    'no request to match',
    () => matchRequest(compiled, undefined as never, environment),
    `matchRequest${expectsRequest} undefined`,
  ],
  [
    'no criteria',
    () => dependsOnObject(undefined as never, { resource: pods } as never),
    `dependsOnObject${expectsMatch} undefined`,
  ],
  [
    'no request to depend on',
    () => dependsOnObject(compiled, {} as never),
    `dependsOnObject${expectsRequest} undefined`,
  ],
  [
    'an entry of an index with an object in place of compiled criteria',
    () => new PolicyIndex().add({ name: 'a', criteria: {}, match: {} } as never),
    `PolicyIndex${expectsMatch} an object`,
  ],
  [
    'an entry of an index without compiled criteria',
    () => new PolicyIndex().add({ name: 'a', criteria: {} } as never),
    `PolicyIndex${expectsMatch} undefined`,
  ],
  [
    'a reference that is not compiled',
    () =>
      collectParameters(
        { kind: 'ConfigMap' },
        { name: 'a' } as never,
        new ParameterStore(true),
        'shop',
      ),
    'collectParameters: expected the result of `compileParamRef`, got an object',
  ],
  [
    'parameters that are no store',
    () =>
      collectParameters(
        { kind: 'ConfigMap' },
        compileParamRef({ name: 'a' }),
        { namespaced: true, objects: [] } as never,
        'shop',
      ),
    'collectParameters: expected a ParameterStore, got an object',
  ],
])('%s is a TypeError', (_name, call, message) => {
  expect(call).toThrow(new TypeError(message));
});
