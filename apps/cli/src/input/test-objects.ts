import { dirname, join, normalize } from 'node:path';
import type { Source } from '@kubeadmit/manifest';
import { expandGlob, isGlob } from './glob.ts';

/** The files that tests name, by their use. */
interface NamedFiles {
  readonly objects: readonly string[];
  readonly cluster: readonly string[];
}

/**
 * Returns the files whose objects tests judge: the `object`, `objects` and `oldObject` of suites (`*.admit.yaml`) and the
 * `resources` of `kyverno-test.yaml`. Folders of policies contain them too, but no policy depends on them. A file that
 * also describes the cluster of a test, such as its namespaces, is not among them.
 *
 * @param tests the files of tests, in any order
 */
export async function testObjectFiles(tests: readonly Source[]): Promise<ReadonlySet<string>> {
  const objects = new Set<string>();
  const cluster = new Set<string>();
  for (const test of tests) {
    const named = isKyvernoTest(test.name) ? await namedByKyverno(test) : await namedBySuites(test);
    const filesOf = (names: readonly string[]): readonly string[] =>
      names.flatMap((name) => filesNamed(join(dirname(test.name), name)));
    for (const file of filesOf(named.objects)) objects.add(file);
    for (const file of filesOf(named.cluster)) cluster.add(file);
  }
  for (const file of cluster) objects.delete(file);
  return objects;
}

/** Whether a file of this name has tests of Kyverno. */
export function isKyvernoTest(file: string): boolean {
  return /(?:^|\/)kyverno-test\.ya?ml$/.test(file);
}

async function namedByKyverno(test: Source): Promise<NamedFiles> {
  const { readTests } = await import('@kubeadmit/testing/other-tools');
  const { tests } = readTests(test);
  return {
    objects: tests.flatMap(({ resources }) => resources),
    cluster: tests.flatMap((one) => [
      ...one.policies,
      ...one.paramResources,
      ...one.clusterResources,
      ...one.exceptions,
    ]),
  };
}

async function namedBySuites(test: Source): Promise<NamedFiles> {
  const { clusterFieldNames, readSuites } = await import('@kubeadmit/testing');
  const cases = readSuites(test).suites.flatMap((suite) => suite.cases);
  const isName = (reference: unknown): reference is string => typeof reference === 'string';
  return {
    objects: cases
      .flatMap(({ subject, request }) => [subject.from, request.oldObject].flat())
      .filter(isName)
      .map((reference) => reference.replace(/#[^#]*$/, '')),
    cluster: cases
      .flatMap(({ clusters }) => clusters)
      .flatMap((fields) => clusterFieldNames.flatMap((name) => fields[name]))
      .filter(isName),
  };
}

function filesNamed(path: string): readonly string[] {
  return isGlob(path) ? expandGlob(path) : [normalize(path)];
}
