import { Source } from '@kubeadmit/manifest';
import { expect, test } from 'vitest';
import {
  coverageHtml,
  coverageJson,
  coverageLcov,
  coverageText,
  findSurvivors,
  PolicyCoverageRecorder,
  readSuites,
  SuiteRun,
} from '../src/index.ts';
import { hostOf } from './host.ts';

const host = hostOf({
  'policy.yaml': `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: labels}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]
  variables:
  - {name: labels, expression: "object.metadata.?labels.orValue({})"}
  validations:
  - expression: >-
      'team' in variables.labels ||
      variables.labels.exists(key, key.startsWith('owner'))
    message: "who owns <this> & that?"
  - {expression: object.metadata.name != 'x', messageExpression: "'not ' + object.metadata.name"}
`,
});
const suite = `policies: [policy.yaml]
bindings: auto
cases:
- name: a team
  object: {apiVersion: v1, kind: ConfigMap, metadata: {name: a, labels: {team: b}}}
  expect: allowed
- name: nobody
  object: {apiVersion: v1, kind: ConfigMap, metadata: {name: a, labels: {app: b}}}
  expect: denied
`;

async function run(coverage?: PolicyCoverageRecorder) {
  const [first] = readSuites(new Source('t.admit.yaml', suite)).suites;
  if (first === undefined) throw new Error('no suite');
  const options = { host, coverage };
  const prepared = await SuiteRun.prepare(first, options);
  for (const each of prepared.cases) expect((await prepared.run(each)).result).toBe('pass');
  const passed = new Set(prepared.cases.map(({ name }) => name));
  return { run: prepared, options, passed };
}

test('coverage in each format', async () => {
  const recorder = new PolicyCoverageRecorder();
  await run(recorder);
  const policies = recorder.result();
  expect(coverageText(policies)).toBe(`coverage: 66.6 % (8 of 12)
   66.6 %  policy.yaml (ValidatingAdmissionPolicy/labels)
           12:7 spec.validations[0].expression: the operand \`variables.labels.exists(key, key.startsWith('owner'))\` is never true
           12:36 spec.validations[0].expression: the body of the loop \`key.startsWith('owner')\` is never true
           14:18 spec.validations[1].expression: never fails
           14:67 spec.validations[1].messageExpression: never evaluated
`);
  await expect(coverageLcov(policies)).toMatchFileSnapshot('golden/coverage.lcov.golden');
  await expect(coverageJson(policies)).toMatchFileSnapshot('golden/coverage.json.golden');
  await expect(coverageHtml(policies)).toMatchFileSnapshot('golden/coverage.html.golden');
});

test('finds the mutations that no test catches', async () => {
  const { total, caught, survivors } = await findSurvivors([await run()]);
  expect({ total, caught }).toEqual({ total: 13, caught: 6 });
  expect(
    survivors.map(({ path, place, change }) => `${place.line}:${place.column} ${path} ${change}`),
  ).toEqual([
    '12:24 spec.validations[0].expression has `exists` replaced by `all`',
    '12:40 spec.validations[0].expression has `startsWith` replaced by `endsWith`',
    "12:51 spec.validations[0].expression has `'owner'` replaced by `'owner~'`",
    '14:18 spec.validations[1].expression is set to `true`',
    "14:42 spec.validations[1].expression has `'x'` replaced by `'x~'`",
    "14:67 spec.validations[1].messageExpression has `'not '` replaced by `'not ~'`",
    '13:14 spec.validations[0].message is changed',
  ]);
});

test('without tests nothing is covered', () => {
  expect(coverageText([])).toBe(
    'coverage: 100.0 % (0 of 0)\n  the tests contain no expression of a native policy\n',
  );
});
