import type { TestEntry } from './judge.ts';
import type { LoadedTest } from './load.ts';
import type { ExpectedResult } from './test-file.ts';
import { missingResources } from './unknown-names.ts';

/** Removes entries that pass without a test: rules that do not match a resource, and unknown resources. */
export function strictEntries(
  entries: readonly TestEntry[],
  row: ExpectedResult,
  loaded: LoadedTest,
): readonly TestEntry[] {
  const judged = entries.map((entry): TestEntry => {
    const isExcluded = entry.actual === 'excluded' && entry.result === 'pass';
    if (!isExcluded || row.result === 'skip') return entry;
    const message = `the policy does not match this resource, and the expected result is ${row.result}`;
    return { ...entry, result: 'error', message };
  });
  const missing = missingResources(loaded, row);
  const [like] = entries;
  if (like === undefined || missing.length === 0) return judged;
  // Without any of the resources that it names, a row is about all of them.
  const found = missing.length === row.resources?.length ? [] : judged;
  return [
    ...found,
    ...missing.map((name): TestEntry => {
      const message = `the test has no resource \`${name}\``;
      return { ...like, resource: name, actual: 'not found', result: 'error', message };
    }),
  ];
}
