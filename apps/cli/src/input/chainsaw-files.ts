import { dirname, join, normalize } from 'node:path';
import { isPlainObject } from '@kubeadmit/base';
import { readManifests, type Source } from '@kubeadmit/manifest';

/** Operations of Chainsaw whose files contain expected parts of objects, which are never applied. */
const expecting: ReadonlySet<string> = new Set(['assert', 'error']);

/** Whether a file of this name has a test of Chainsaw. */
function isChainsawTest(file: string): boolean {
  return /(?:^|\/)chainsaw-test\.ya?ml$/.test(file);
}

/** Returns the sources with the objects that tests of Chainsaw among them expect: parts of objects, and no manifests. */
export function expectedSources(sources: readonly Source[]): ReadonlySet<Source> {
  const files = new Set(sources.filter(({ name }) => isChainsawTest(name)).flatMap(filesOfTest));
  return new Set(sources.filter(({ name }) => files.has(normalize(name))));
}

function filesOfTest(test: Source): readonly string[] {
  const { manifests } = readManifests(test);
  const tests = manifests.filter(({ group }) => group === 'chainsaw.kyverno.io');
  return tests
    .flatMap(({ object }) => filesIn(object))
    .map((file) => normalize(join(dirname(test.name), file)));
}

function filesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(filesIn);
  if (!isPlainObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const file = expecting.has(name) && isPlainObject(member) ? member['file'] : undefined;
    return typeof file === 'string' ? [file] : filesIn(member);
  });
}
