import {
  type KubernetesObject,
  member,
  memberObjects,
  memberText,
  metadataString,
} from '@kubeadmit/apimachinery';
import { closest, didYouMean } from '@kubeadmit/base';
import { identityOf } from '@kubeadmit/chain/kyverno-resources';
import type { PartPlace } from './fields.ts';
import { policyName } from './judge.ts';
import type { LoadedTest } from './load.ts';
import type { ExpectedResult } from './test-file.ts';
import type { Values } from './values.ts';

/** A name of a row or of the values of a test that refers to nothing, so that it has no effect. */
export interface UnknownName {
  readonly policy: string;
  readonly rule: string;
  readonly message: string;
  /** The row; undefined for a name of the values. */
  readonly row?: ExpectedResult;
  /** The place of a name of the values. */
  readonly at?: PartPlace;
}

/** A policy that values may name. */
export interface NamedPolicy {
  readonly name: string;
  /** The names of the rules; undefined for policies without named rules. */
  readonly rules: readonly string[] | undefined;
}

/** Returns the names of rules and kinds in a row that the test does not have; the Kyverno CLI ignores them. */
export function unknownInRow(loaded: LoadedTest, row: ExpectedResult): readonly UnknownName[] {
  const messages = [unknownRule(namedPolicies(loaded), row), unknownKind(loaded, row)];
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
  return [
    ...unknownPolicies(values, namedPolicies(loaded)),
    ...unknownResources(loaded),
    ...unknownNamespaces(loaded),
  ];
}

/** Returns the names of policies and rules in values that the policies do not have. */
export function unknownPolicies(
  { policies, placeOf }: Pick<Values, 'policies' | 'placeOf'>,
  known: readonly NamedPolicy[],
): readonly UnknownName[] {
  const names = known.map(({ name }) => name);
  return policies.flatMap(({ name: policy, rules }, index) => {
    if (!names.includes(policy)) {
      const message = `the values name the unknown policy \`${policy}\`${didYouMean(closest(policy, names))}`;
      return [{ policy, rule: '', message, at: placeOf(['policies', index]) }];
    }
    return rules.flatMap(({ name: rule }, place) => {
      const problem = unknownRule(known, { policy, rule });
      if (problem === undefined) return [];
      const at = placeOf(['policies', index, 'rules', place]);
      return [{ policy, rule, message: `in the values, ${problem}`, at }];
    });
  });
}

function unknownResources(loaded: LoadedTest): readonly UnknownName[] {
  const { policies, placeOf } = loaded.values;
  const tested = testedPolicies(loaded);
  const names = new Set(identities(loaded).map(({ name }) => name));
  return policies.flatMap(({ name: policy, resources }, index) =>
    resources.flatMap(({ name }, place) => {
      if (names.has(name) || !tested.includes(policy)) return [];
      const message = `the values name the unknown resource \`${name}\`${didYouMean(closest(name, names))}`;
      const at = placeOf(['policies', index, 'resources', place]);
      return [{ policy, rule: '', message, at }];
    }),
  );
}

/** Returns the names of all policies of a test. */
export function testedPolicies(loaded: LoadedTest): readonly string[] {
  return namedPolicies(loaded).map(({ name }) => name);
}

function namedPolicies({ policies, native }: LoadedTest): readonly NamedPolicy[] {
  const others = [policies.cel, policies.cleanup, policies.unsupported].flat();
  return [
    ...policies.classic.map(({ object }) => namedPolicy(object)),
    ...others.map(({ object }) => ({ name: metadataString(object, 'name'), rules: undefined })),
    ...native.map(({ name }) => ({ name, rules: undefined })),
  ];
}

/** The names of a ClusterPolicy or Policy and of its rules. */
export function namedPolicy(object: KubernetesObject): NamedPolicy {
  const rules = memberObjects(member(object, 'spec'), 'rules');
  return {
    name: metadataString(object, 'name'),
    rules: rules.map((rule) => memberText(rule, 'name')),
  };
}

function unknownRule(
  policies: readonly NamedPolicy[],
  row: Pick<ExpectedResult, 'policy' | 'rule'>,
): string | undefined {
  const { rule } = row;
  if (rule === '') return undefined;
  const policy = policyName(row);
  const named = policies.filter(({ name, rules }) => name === policy && rules !== undefined);
  if (named.length === 0) return undefined;
  const rules = named.flatMap((each) => each.rules ?? []);
  if (rules.includes(rule) || rules.includes(rule.replace(/^autogen-(?:cronjob-)?/, ''))) {
    return undefined;
  }
  return `the policy \`${policy}\` has no rule \`${rule}\`${didYouMean(closest(rule, rules))}`;
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
  const { namespacePaths, placeOf } = loaded.values;
  return [...namespacePaths]
    .filter(([name]) => !known.has(name))
    .map(([name, path]) => ({
      policy: '',
      rule: '',
      message: `the values have labels for the namespace \`${name}\`, but no resource is in it`,
      at: placeOf(path),
    }));
}

function identities({ existing }: LoadedTest): readonly ReturnType<typeof identityOf>[] {
  return existing.map(identityOf);
}
