import { dirname, join, normalize, relative } from 'node:path';
import { isPlainObject } from '@kubeadmit/base';
import { readManifests, type Source } from '@kubeadmit/manifest';

/** Operations of Chainsaw whose files contain expected parts of objects, which are never applied. */
const expecting: ReadonlySet<string> = new Set(['assert', 'error']);

/** Whether a file of this name has a test of Chainsaw. */
function isChainsawTest(file: string): boolean {
  return /(?:^|\/)chainsaw-test\.ya?ml$/.test(file);
}

/**
 * Returns the sources that tests of Chainsaw among them only compare objects with, with the file of the test. A test
 * expects only files in its folder, so that it cannot hide other manifests.
 */
export function expectedSources(sources: readonly Source[]): ReadonlyMap<Source, string> {
  const tests = sources.filter(({ name }) => isChainsawTest(name));
  const testOf = new Map(
    tests.flatMap((test) => filesOfTest(test).map((file) => [file, test.name] as const)),
  );
  return new Map(
    sources.flatMap((source) => {
      const test = testOf.get(normalize(source.name));
      return test === undefined ? [] : [[source, test] as const];
    }),
  );
}

function filesOfTest(test: Source): readonly string[] {
  const { manifests } = readManifests(test);
  const tests = manifests.filter(({ group }) => group === 'chainsaw.kyverno.io');
  return tests
    .flatMap(({ object }) => filesIn(object))
    .map((file) => normalize(join(dirname(test.name), file)))
    .filter((file) => isBelow(file, dirname(test.name)));
}

function isBelow(file: string, folder: string): boolean {
  return !relative(folder, file).startsWith('..');
}

function filesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(filesIn);
  if (!isPlainObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const file = expecting.has(name) && isPlainObject(member) ? member['file'] : undefined;
    return typeof file === 'string' ? [file] : filesIn(member);
  });
}
