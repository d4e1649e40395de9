import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDocuments, readManifests, Source } from '@kubeadmit/manifest';
import type { SuiteDocument } from '@kubeadmit/testing';
import { isKatPolicy, isKatTest, type KatFile, suiteOfKat } from '@kubeadmit/testing/internal';

/** The tests of kat in a folder as a suite, whose references are relative to it; undefined where there are none. */
export function katSuite(folder: string): SuiteDocument | undefined {
  const names = readdirSync(folder).filter(isKatPolicy).sort();
  const tests = join(folder, 'tests');
  if (names.length === 0 || !existsSync(tests)) return undefined;
  const sources = names.map((name) => new Source(name, readFileSync(join(folder, name), 'utf8')));
  const policies = sources
    .flatMap((source) => readManifests(source).manifests)
    .filter(({ kind }) => /^(?:Validating|Mutating)AdmissionPolicy$/.test(kind));
  const files = readdirSync(tests).filter(isKatTest).sort();
  return suiteOfKat({
    name: folder.slice(folder.lastIndexOf('/') + 1),
    policies: names,
    policyNames: policies.map(({ name }) => name),
    tests: files.map((name) => katFile(tests, name)),
  });
}

function katFile(tests: string, name: string): KatFile {
  const text = readFileSync(join(tests, name), 'utf8');
  const file = { name, reference: `tests/${name}`, text };
  if (!name.endsWith('.yaml')) return file;
  return { ...file, value: readDocuments(new Source(name, text)).documents[0]?.value };
}
