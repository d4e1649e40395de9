import { expect, test } from 'vitest';
import { baseEnvironment, compileMutatingPolicy, compileValidatingPolicy } from '../src/index.ts';
import type { PolicyCompiler } from '../src/internal.ts';

// A policy that is given for its spec has no validations: it would allow everything.

const compiler = {} as PolicyCompiler;
const policy = { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingAdmissionPolicy' };

test.each<[unknown, string]>([
  [undefined, 'not undefined'],
  [null, 'not null'],
  ['object.spec.replicas < 5', 'not the string "object.spec.replicas < 5"'],
  [1, 'not the number 1'],
  [[], 'not a list'],
  [Promise.resolve({}), 'not a Promise (await it)'],
  [{ ...policy, metadata: { name: 'limit' }, spec: { validations: [] } }, 'not the whole policy'],
  [{ spec: {} }, 'not the whole policy'],
])('a compiler of policies takes their spec: %j', (given, problem) => {
  for (const compile of [compileValidatingPolicy, compileMutatingPolicy]) {
    const expected = new TypeError(`${compile.name} takes the \`spec\` of a policy, ${problem}`);
    expect(() => compile(given as object, compiler)).toThrow(expected);
  }
});

test.each<[unknown, string]>([
  ['1.37', 'not the string "1.37"'],
  [1.37, 'not the number 1.37'],
  [{ kubernetesVersion: '1.37' }, 'not an object'],
])('an environment is of a minor version: %j', (given, problem) => {
  const expected = `baseEnvironment takes a minor version such as 37, ${problem} (\`parseVersion\` reads strings)`;
  expect(() => baseEnvironment(given as number)).toThrow(new TypeError(expected));
});
