import { expect, test } from 'vitest';
import { PolicyStore } from '../src/policies/policy-store.ts';
import type { Snapshot, SourceText } from '../src/policies/snapshot.ts';
import { SnapshotRecord } from '../src/policies/snapshot-record.ts';

const [broken, first, second] = ['object.', 'true', 'false'];

const group = { apiVersion: 'admissionregistration.k8s.io/v1' };

/** The policies and bindings that a cluster has, by their names; a policy is its expression. */
function snapshotOf(expressions: Readonly<Record<string, string>>): Snapshot {
  const texts = Object.entries(expressions).flatMap(([name, expression]): SourceText[] => {
    const metadata = { name };
    const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['pods'] };
    const policy = {
      ...{ ...group, kind: 'ValidatingAdmissionPolicy', metadata },
      spec: { matchConstraints: { resourceRules: [rule] }, validations: [{ expression }] },
    };
    const binding = {
      ...{ ...group, kind: 'ValidatingAdmissionPolicyBinding', metadata },
      spec: { policyName: name, validationActions: ['Deny'] },
    };
    return [policy, binding].map((each) => ({
      name: `${each.kind} ${name}`,
      text: JSON.stringify(each),
    }));
  });
  return { sources: [], clusterObjects: texts, problems: [] };
}

/** The policies that act in a store. */
function acting({ current }: PolicyStore): string {
  return JSON.stringify([...(current?.clusterObjects ?? [])].sort());
}

test.each([
  { what: 'nothing is wrong', sets: [{ a: first, b: first }] },
  { what: 'one policy was never right', sets: [{ a: broken, b: first }] },
  {
    what: 'one acts as it did three sets ago',
    sets: [
      { a: first, b: first },
      { a: broken, b: first },
      { a: broken, b: second },
      { a: broken, b: broken, c: first },
    ],
  },
  {
    what: 'one was repaired, and one has gone',
    sets: [
      { a: first, b: first },
      { a: broken, b: broken },
      { a: second, c: broken },
    ],
  },
])('a process that comes later acts as the others where $what', async ({ sets }) => {
  const others = new PolicyStore();
  const record = new SnapshotRecord();
  for (const set of sets as Readonly<Record<string, string>>[]) {
    const snapshot = snapshotOf(set);
    record.loaded(snapshot, await others.load(snapshot));
  }
  const successor = new PolicyStore();
  for (const snapshot of record.snapshots) await successor.load(snapshot);
  expect(acting(successor)).toBe(acting(others));
  expect(acting(successor)).toContain('expression');
  expect(successor.current?.tolerated).toEqual(others.current?.tolerated);
});
