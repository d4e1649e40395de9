import { readFileSync } from 'node:fs';
import type { Type } from '@kubeadmit/cel';
import { findSchemaProblems } from '@kubeadmit/kyverno/validation';
import { loadSchemas } from '@kubeadmit/schemas';
import { expect, test } from 'vitest';
import { policyDialect, ruleDialect } from '../src/cel/dialect.ts';
import { functionsOf, wordsOfFunction } from '../src/cel/function-list.ts';
import { kyvernoDialect } from '../src/cel/kyverno-dialect.ts';
import { FieldTypes } from '../src/fields/field-types.ts';
import { type JsonSchema, JsonSchemaTypes } from '../src/fields/json-schema-types.ts';
import * as tables from '../src/fields/table-types.ts';
import { wordsOf } from '../src/lookup/fields-of-type.ts';
import * as kyvernoWords from '../src/words/kyverno-words.ts';
import * as policyWords from '../src/words/policy-words.ts';

const schema = new URL('../../testing/schema/admit-test.schema.json', import.meta.url);
const suites = JSON.parse(readFileSync(schema, 'utf8')) as JsonSchema;
const suiteTypes = new JsonSchemaTypes(suites, 'suite');
const types = new FieldTypes(await loadSchemas(), {
  suites: () => suiteTypes,
  kyverno: () => tables,
});
const words = { ...policyWords, ...kyvernoWords };
const functions = {
  ...words,
  functionWords: { ...words.functionWords, ...words.kyvernoFunctionWords },
};

const kinds = [
  ['admissionregistration.k8s.io', 'v1', 'ValidatingAdmissionPolicy'],
  ['admissionregistration.k8s.io', 'v1', 'ValidatingAdmissionPolicyBinding'],
  ['admissionregistration.k8s.io', 'v1', 'MutatingAdmissionPolicy'],
  ['admissionregistration.k8s.io', 'v1', 'MutatingAdmissionPolicyBinding'],
  ['kyverno.io', 'v1', 'ClusterPolicy'],
  ['kyverno.io', 'v1', 'Policy'],
  ['kyverno.io', 'v2', 'PolicyException'],
  ['policies.kyverno.io', 'v1', 'ValidatingPolicy'],
  ['policies.kyverno.io', 'v1', 'NamespacedValidatingPolicy'],
  ['policies.kyverno.io', 'v1', 'MutatingPolicy'],
  ['policies.kyverno.io', 'v1', 'NamespacedMutatingPolicy'],
  ['policies.kyverno.io', 'v1', 'PolicyException'],
  ['cli.kyverno.io', 'v1alpha1', 'Test'],
  ['cli.kyverno.io', 'v1alpha1', 'Values'],
  ['cli.kyverno.io', 'v1alpha1', 'UserInfo'],
] as const;

test.each([policyWords, kyvernoWords])('words are data alone', (texts) => {
  expect(JSON.parse(JSON.stringify(texts))).toEqual({ ...texts });
});

test.each(kinds)('every field of %s/%s %s has words', (group, version, kind) => {
  expect(wordless(types.rootOf({ group, version, kind }))).toEqual([]);
});

test('every field of a suite has words', () => {
  expect(wordless(types.suite)).toEqual([]);
});

test.each([
  ['mutating policies', policyDialect(37, words, true)],
  ['rules of definitions', ruleDialect(37, words)],
  ['policies of Kyverno', kyvernoDialect(functions, false, true)],
] as const)('every function of %s has words', (_name, dialect) => {
  const found = [...functionsOf(dialect).values()].flatMap((info) =>
    info.forms.filter((form) => /^(?:$|Cost:)/.test(wordsOfFunction(dialect, info, form))),
  );
  expect(found.map(({ label }) => label)).toEqual([]);
});

// The editor offers the operators that have words.
test('the operators of Kyverno that have words are those that its definitions accept', () => {
  const condition = { key: 'a', operator: 'unknown', value: 'b' };
  const rule = { name: 'a', validate: { deny: { conditions: { all: [condition] } } } };
  const problems = findSchemaProblems({
    apiVersion: 'kyverno.io/v1',
    kind: 'ClusterPolicy',
    metadata: { name: 'a' },
    spec: { rules: [rule] },
  });
  const accepted = problems.find(({ path }) => path.at(-1) === 'operator')?.choices ?? [];
  const known = Object.keys(kyvernoWords.kyvernoValueWords['v1.ConditionOperator'] ?? {});
  expect(known.sort()).toEqual([...accepted].sort());
});

/** Whether a type is one of Kubernetes' objects, such as metadata or a Namespace, whose fields have no words. */
function isOfKubernetes(name: string): boolean {
  return name === 'meta.v1.ObjectMeta' || name.startsWith('core.v1.');
}

/** The fields of a type, and of all that it holds, that say nothing of themselves. */
function wordless(root: Type | undefined): readonly string[] {
  expect(root).toBeDefined();
  const seen = new Set<string>();
  const missing: string[] = [];
  const visit = (given: Type | undefined): void => {
    let type = given;
    while (type?.kind === 'list' || type?.kind === 'map') type = type.parameters.at(-1);
    if (type?.kind !== 'struct' || seen.has(type.name) || isOfKubernetes(type.name)) return;
    seen.add(type.name);
    for (const info of types.fieldsOf(type.name)?.values() ?? []) {
      if (wordsOf({ words }, info) === undefined) missing.push(`${info.owner}.${info.name}`);
      visit(info.type);
    }
  };
  visit(root);
  expect(seen.size).toBeGreaterThan(1);
  return missing;
}
