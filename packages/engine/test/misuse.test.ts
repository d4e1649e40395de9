import { expect, test } from 'vitest';
import { baseEnvironment, compileMutatingPolicy, compileValidatingPolicy } from '../src/index.ts';
import type { PolicyCompiler } from '../src/internal.ts';

// A policy that is given for its spec has no validations: it would allow everything.

const compiler = {} as PolicyCompiler;
const policy = { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingAdmissionPolicy' };

test.each<[unknown, string]>([
  [undefined, 'got undefined'],
  [null, 'got null'],
  ['object.spec.replicas < 5', 'got the string "object.spec.replicas < 5"'],
  [1, 'got the number 1'],
  [[], 'got a list'],
  [Promise.resolve({}), 'got a Promise (await it)'],
  [{ ...policy, metadata: { name: 'limit' }, spec: { validations: [] } }, 'got the whole policy'],
  [{ spec: {} }, 'got the whole policy'],
])('a compiler of policies takes their spec: %j', (given, problem) => {
  for (const compile of [compileValidatingPolicy, compileMutatingPolicy]) {
    const expected = new TypeError(
      `${compile.name}: expected the \`spec\` of a policy, ${problem}`,
    );
    expect(() => compile(given as object, compiler)).toThrow(expected);
  }
});

test.each<[unknown, string]>([
  ['1.37', 'got the string "1.37"'],
  [1.37, 'got the number 1.37'],
  [{ kubernetesVersion: '1.37' }, 'got an object'],
])('an environment is of a minor version: %j', (given, problem) => {
  const expected = `baseEnvironment: expected a minor version such as 37, ${problem} (\`parseVersion\` reads strings)`;
  expect(() => baseEnvironment(given as number)).toThrow(new TypeError(expected));
});
