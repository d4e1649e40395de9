import { expect, test } from 'vitest';
import { estimatedFunctions } from '../../src/libraries/cost-estimates.ts';
import { costRules } from '../../src/libraries/costs.ts';
import { versionedLibraries } from '../../src/libraries/versioned.ts';

// The functions for which kube-apiserver has neither a cost nor an estimate, so that those of cel-go apply.
const asInTheLanguage = `
  isURL string last first slice flatten lists.range reverse distinct sort @sortByAssociatedKeys
  optional.of optional.ofNonZeroValue optional.none optional.unwrap unwrapOpt value hasValue or orValue
  _?._ _[?_] _[_] charAt format strings.quote sets.contains sets.equivalent sets.intersects cel.@mapInsert
  format.dns1123Label format.dns1123Subdomain format.dns1035Label format.qualifiedName format.labelValue
  format.dns1123LabelPrefix format.dns1123SubdomainPrefix format.dns1035LabelPrefix format.uri format.uuid
  format.byte format.date format.datetime
`;

const functions = versionedLibraries.flatMap(({ library }) =>
  (library.functions ?? []).map(({ name }) => name),
);

test('every function of Kubernetes has an estimated cost, or that of cel-go', () => {
  const undecided = functions.filter((name) => !estimatedFunctions.has(name));
  expect([...new Set(undecided)].sort()).toEqual(asInTheLanguage.trim().split(/\s+/).sort());
});

test('every function with its own cost has an estimate', () => {
  expect([...costRules.keys()].filter((name) => !estimatedFunctions.has(name))).toEqual([]);
});
