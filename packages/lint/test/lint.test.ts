import { readFileSync } from 'node:fs';
import { readManifests, Source } from '@kubeadmit/manifest';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { findIssues, schemasOf, sortInputs } from '../src/index.ts';

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
