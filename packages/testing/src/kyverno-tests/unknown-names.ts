import { member, memberObjects, memberText, metadataString } from '@kubeadmit/apimachinery';
import { closest, didYouMean } from '@kubeadmit/base';
import { identityOf } from '@kubeadmit/chain/unstable-internal';
import { policyName } from './judge.ts';
import type { LoadedTest } from './load.ts';
import type { ExpectedResult } from './test-file.ts';

/** A name of a row or of the values of a test that refers to nothing, so that it has no effect. */
export interface UnknownName {
  readonly policy: string;
  readonly rule: string;
  readonly message: string;
  /** The row; undefined for a name of the values. */
  readonly row?: ExpectedResult;
}

/** Returns the names of rules and kinds in a row that the test does not have; the Kyverno CLI ignores them. */
export function unknownInRow(loaded: LoadedTest, row: ExpectedResult): readonly UnknownName[] {
  const messages = [unknownRule(loaded, row), unknownKind(loaded, row)];
  return messages.flatMap((message) =>
    message === undefined ? [] : [{ policy: row.policy, rule: row.rule, message, row }],
  );
}

/** Returns the resources that a row names and the test does not have. */
export function missingResources(loaded: LoadedTest, row: ExpectedResult): readonly string[] {
  const known = new Set(loaded.payloads.map(({ name }) => name));
  for (const { namespace, name } of identities(loaded)) known.add(name).add(`${namespace}/${name}`);
  return (row.resources ?? []).filter((name) => !known.has(name));
}

/** Returns the names of the values of a test that match nothing in it. */
export function unknownInValues(loaded: LoadedTest): readonly UnknownName[] {
  const { values } = loaded;
  const policies = testedPolicies(loaded);
  const names = new Set(identities(loaded).map(({ name }) => name));
  const found: UnknownName[] = [];
  for (const { name: policy, rules, resources } of values.policies) {
    if (!policies.includes(policy)) {
      const message = `the values name the unknown policy \`${policy}\`${didYouMean(closest(policy, policies))}`;
      found.push({ policy, rule: '', message });
      continue;
    }
    for (const { name: rule } of rules) {
      const problem = unknownRule(loaded, { policy, rule });
      if (problem !== undefined) found.push({ policy, rule, message: `in the values, ${problem}` });
    }
    for (const { name } of resources) {
      if (names.has(name)) continue;
      const message = `the values name the unknown resource \`${name}\`${didYouMean(closest(name, names))}`;
      found.push({ policy, rule: '', message });
    }
  }
  return [...found, ...unknownNamespaces(loaded)];
}

/** Returns the names of all policies of a test. */
export function testedPolicies({ policies, native }: LoadedTest): readonly string[] {
  const objects = [policies.classic, policies.cel, policies.cleanup, policies.unsupported].flat();
  return [
    ...objects.map(({ object }) => metadataString(object, 'name')),
    ...native.map(({ name }) => name),
  ];
}

function unknownRule(
  { policies }: LoadedTest,
  row: Pick<ExpectedResult, 'policy' | 'rule'>,
): string | undefined {
  const { rule } = row;
  if (rule === '') return undefined;
  const name = policyName(row);
  const named = policies.classic.filter(({ object }) => metadataString(object, 'name') === name);
  if (named.length === 0) return undefined;
  const rules = named.flatMap(({ object }) =>
    memberObjects(member(object, 'spec'), 'rules').map((each) => memberText(each, 'name')),
  );
  if (rules.includes(rule) || rules.includes(rule.replace(/^autogen-(?:cronjob-)?/, ''))) {
    return undefined;
  }
  return `the policy \`${name}\` has no rule \`${rule}\`${didYouMean(closest(rule, rules))}`;
}

function unknownKind(loaded: LoadedTest, row: ExpectedResult): string | undefined {
  // Objects of JSON payloads have no kind.
  if (row.kind === '' || loaded.payloads.length > 0) return undefined;
  const all = identities(loaded);
  const named = all.filter(
    ({ namespace, name }) =>
      row.resources?.some((each) => [name, `${namespace}/${name}`].includes(each)) ?? true,
  );
  const kinds = new Set((named.length > 0 ? named : all).map(({ kind }) => kind));
  const kind = row.kind.slice(row.kind.lastIndexOf('/') + 1);
  if (kinds.size === 0 || kinds.has(kind)) return undefined;
  return `the row is about the kind \`${row.kind}\`, but its resources are of the kind ${[...kinds].join(', ')}`;
}

function unknownNamespaces(loaded: LoadedTest): readonly UnknownName[] {
  const known = new Set<string>();
  for (const { kind, namespace, name } of identities(loaded)) {
    known.add(kind === 'Namespace' ? name : namespace);
  }
  return [...loaded.values.namespaceLabels.keys()]
    .filter((name) => !known.has(name))
    .map((name) => ({
      policy: '',
      rule: '',
      message: `the values have labels for the namespace \`${name}\`, but no resource is in it`,
    }));
}

function identities({ existing }: LoadedTest): readonly ReturnType<typeof identityOf>[] {
  return existing.map(identityOf);
}
