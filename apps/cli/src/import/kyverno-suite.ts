import type { InputProblem } from '@kubeadmit/manifest';
import type { SuiteDocument } from '@kubeadmit/testing';
import type { ExpectedResult, TestFile } from '@kubeadmit/testing/other-tools';

const verdicts: Readonly<Record<string, string | readonly string[]>> = {
  pass: ['allowed', 'mutated'],
  fail: ['denied', 'audited', 'warned'],
  warn: 'warned',
  error: 'error',
  skip: 'not matched',
};

/** Fields of Kyverno tests that suites do not support. */
const without = [
  'variables',
  'values',
  'userInfo',
  'context',
  'apiCallResponses',
  'globalContextEntries',
  'jsonPayloads',
  'httpPayloads',
  'envoyPayloads',
  'targetResources',
] as const;

/** Makes a suite of a test of Kyverno, or says why there is none that says the same. */
export function suiteOfKyvernoTest(
  test: TestFile,
): { readonly document: SuiteDocument } | { readonly problem: InputProblem } {
  const { file, name, policies, exceptions, resources, paramResources, clusterResources } = test;
  const used = without.filter((field) => {
    const value = test[field];
    return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== '';
  });
  if (used.length > 0) {
    const message = `not converted: suites do not support \`${used.join('`, `')}\``;
    return { problem: { file, message } };
  }
  const files = resources.length === 1 ? (resources[0] ?? '') : `{${resources.join(',')}}`;
  const list = (field: string, items: readonly string[]) =>
    items.length === 0 ? {} : { [field]: items };
  return {
    document: {
      name,
      // Kyverno's tests ignore policies without a row.
      strict: false,
      policies: [...policies, ...exceptions],
      bindings: 'auto',
      ...list('parameters', paramResources),
      ...list('resources', clusterResources),
      cases: test.results.map((row, index) => caseOf(row, files, index)),
    },
  };
}

function caseOf(row: ExpectedResult, files: string, index: number): SuiteDocument {
  const { policy, rule, resources, result, operation, patchedResources } = row;
  const own = policy.slice(policy.lastIndexOf('/') + 1);
  const expect = {
    verdict: verdicts[result] ?? result,
    policy: own,
    ...(rule === '' ? {} : { rule }),
  };
  const objects =
    resources === undefined || resources.length === 0
      ? [{ objects: files, expect }]
      : resources.map((name) => ({
          name,
          object: `${files}#${chosen(name)}`,
          ...(patchedResources === ''
            ? { expect }
            : { expect: { ...expect, wholeObject: `${patchedResources}#${chosen(name)}` } }),
        }));
  return {
    name: [index + 1, own, rule, result].filter((part) => part !== '').join(' '),
    ...(operation === '' ? {} : { operation }),
    cases: objects,
  };
}

/** A resource of a row, `name` or `namespace/name`, as suites choose it. */
function chosen(name: string): string {
  return name.includes('/') ? `*/${name}` : name;
}
