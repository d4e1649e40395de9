import { readFileSync } from 'node:fs';
import { type Expression, parseExpression } from '@kubeadmit/cel/syntax';
import { readManifests, Source } from '@kubeadmit/manifest';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { isFieldThere } from '../src/expressions/undefined-fields.ts';
import { applyFixes, findIssues, type LintIssue, schemasOf, sortInputs } from '../src/index.ts';

interface LintCase {
  readonly name: string;
  readonly manifests: string;
  readonly issues: readonly string[];
}

const cases = parse(
  readFileSync(new URL('cases.yaml', import.meta.url), 'utf8'),
) as readonly LintCase[];

test.each(cases)('$name', async ({ manifests: text, issues: expected }) => {
  const { manifests, problems } = readManifests(new Source('cases.yaml', text));
  const given = manifests.map((manifest) => ({ manifest, role: 'any' as const }));
  const schemas = await schemasOf(sortInputs(given), undefined);
  const issues = await findIssues(given, { schemas, unreadable: problems });
  const told = issues.map(
    ({ severity, place, code, message }) => `${severity} ${place?.line} ${code} ${message}`,
  );
  expect(told).toEqual(expected);
});

test.each([
  ['block', '|\n      object.spec.replicas <\n        nobody'],
  ['folded', '>-\n      object.spec.replicas <\n      nobody'],
  ['quoted', `"object.spec.replicas\\u0020< nobody"`],
  ['plain', 'object.spec.replicas < nobody'],
])('the range of an issue in a %s expression', async (_, expression) => {
  const [issue] = await lint(policy(expression, 'deployments'));
  expect(issue?.code).toBe('expression-error');
  expect(rangeText(issue)).toBe('nobody');
});

test.each([
  ['deployment', 'deployments'],
  ["'deployment'", "'deployments'"],
  ['"deployment"', '"deployments"'],
  ['"deploy\\u006dent"', '"deployments"'],
])('a repair of %s', async (written, repaired) => {
  const issues = await lint(policy("'true'", written));
  const [fixed] = applyFixes(issues);
  expect(fixed?.text).toBe(policy("'true'", repaired));
});

test('follows 3,000 variables that use each other', async () => {
  const variables = Array.from({ length: 3000 }, (_, at) => {
    const expression = at === 0 ? 'object.spec.replicas' : `variables.v${at - 1}`;
    return `\n  - { name: v${at}, expression: ${expression} }`;
  });
  const text = policy('variables.v2999 > 1', 'deployments');
  const issues = await lint(text.replace('\nspec:', `\nspec:\n  variables: ${variables.join('')}`));
  expect(issues).toEqual([]);
});

test('of two repairs of one place the first is made', async () => {
  const issues = await lint(policy("'true'", 'deployment'));
  const [fixed] = applyFixes([...issues, ...issues]);
  expect(fixed?.issues).toHaveLength(1);
});

function policy(expression: string, resource: string): string {
  return `# kubeadmit-ignore policy-without-binding
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: a}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [${resource}]}
  validations:
  - expression: ${expression}
`;
}

async function lint(text: string): Promise<readonly LintIssue[]> {
  const { manifests } = readManifests(new Source('cases.yaml', text));
  const given = manifests.map((manifest) => ({ manifest, role: 'any' as const }));
  const schemas = await schemasOf(sortInputs(given), undefined);
  return findIssues(given, { schemas });
}

function rangeText(issue: LintIssue | undefined): string | undefined {
  const { source, range } = issue ?? {};
  return range && source?.text.slice(range.start, range.end);
}

test.each([
  ['are added to themselves', (last: string) => `${last} + ${last}`],
  ['are in a list twice', (last: string) => `[${last}, ${last}]`],
  ['are conditions of themselves', (last: string) => `has(object.spec) && ${last} == ${last}`],
  ['are chosen', (last: string) => `has(object.spec) ? ${last} : ${last}`],
])('variables that %s are looked into in short time', async (_name, next) => {
  const variables = Array.from({ length: 40 }, (_each, at) => ({
    name: `v${at}`,
    expression: at === 0 ? '[1]' : next(`variables.v${at - 1}`),
  }));
  const text = policy('variables.v39 != null', 'deployments');
  const start = performance.now();
  await lint(
    text.replace('  validations:', `  variables: ${JSON.stringify(variables)}\n  validations:`),
  );
  expect(performance.now() - start).toBeLessThan(10_000);
});

test('a long expression is searched for unknown fields once', () => {
  const text = Array.from({ length: 3_000 }, () => 'has(object.a)').join(' || ');
  const { expression: tree } = parseExpression(text) as { readonly expression: Expression };
  const start = performance.now();
  for (let finding = 0; finding < 3_000; finding++) {
    expect(isFieldThere(tree, 'a', { kinds: [], schemas: {} as never })).toBe(false);
  }
  expect(performance.now() - start).toBeLessThan(5_000);
});
