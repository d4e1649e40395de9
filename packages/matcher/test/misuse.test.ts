import { expect, test } from 'vitest';
import { compileMatch, compileParamRef } from '../src/index.ts';

// Criteria without rules match everything: what is around them must not be taken for them.

test.each<[unknown, string]>([
  [undefined, 'not undefined'],
  ['pods', 'not the string "pods"'],
  [[{ resources: ['pods'] }], 'not a list'],
  [
    { matchConstraints: { resourceRules: [] } },
    'not what is around them, which would match everything',
  ],
  [
    { kind: 'ValidatingAdmissionPolicy', spec: {} },
    'not what is around them, which would match everything',
  ],
])('compileMatch takes criteria: %j', (given, problem) => {
  const what = 'the `matchConstraints` of a policy or the `matchResources` of a binding';
  const expected = new TypeError(`compileMatch takes ${what}, ${problem}`);
  expect(() => compileMatch(given as object)).toThrow(expected);
});

test.each<[unknown, string]>([
  [null, 'not null'],
  ['limits', 'not the string "limits"'],
  [{ paramRef: { name: 'limits' } }, 'not what is around it'],
])('compileParamRef takes a reference: %j', (given, problem) => {
  const expected = new TypeError(`compileParamRef takes the \`paramRef\` of a binding, ${problem}`);
  expect(() => compileParamRef(given as object)).toThrow(expected);
});
