import { expect, test } from 'vitest';
import { compileCelPolicy, compilePolicy } from '../src/index.ts';

// A policy without rules lets everything pass: what is no policy of Kyverno must not become one.

const native = { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingAdmissionPolicy' };

test.each<[unknown, string]>([
  [undefined, 'not undefined'],
  ['kind: ClusterPolicy', 'not the string "kind: ClusterPolicy"'],
  [[{ kind: 'ClusterPolicy' }], 'not a list'],
  [{ spec: { rules: [] } }, 'not an object without kind'],
  [native, 'not one of the kind ValidatingAdmissionPolicy'],
  [{ kind: 'ValidatingPolicy' }, 'not one of the kind ValidatingPolicy'],
])('compilePolicy takes classic policies: %j', (given, problem) => {
  const what = 'an object of the kind ClusterPolicy or Policy';
  const expected = new TypeError(`compilePolicy takes ${what}, ${problem}`);
  expect(() => compilePolicy(given as object as never)).toThrow(expected);
});

test.each<[unknown, string]>([
  [null, 'not null'],
  [native, 'not one of the kind ValidatingAdmissionPolicy'],
  [{ kind: 'ClusterPolicy' }, 'not one of the kind ClusterPolicy'],
])('compileCelPolicy takes policies in CEL: %j', (given, problem) => {
  const kinds =
    'ValidatingPolicy or MutatingPolicy or NamespacedValidatingPolicy or NamespacedMutatingPolicy';
  const expected = new TypeError(
    `compileCelPolicy takes an object of the kind ${kinds}, ${problem}`,
  );
  expect(() => compileCelPolicy(given as object as never, { clock: () => 0 })).toThrow(expected);
});
