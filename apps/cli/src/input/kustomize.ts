import { basename, dirname, resolve } from 'node:path';
import type { Value } from '@kubeadmit/cel';
import { readErrorText, readText } from '@kubeadmit/files';
import { type InputProblem, isRecord, readDocuments, Source } from '@kubeadmit/manifest';
import type { FolderRemarks } from './folder-files.ts';
import { kustomizationText } from './local/wanted-names.ts';

/** The names of kustomization files. */
const kustomization = /^kustomization\.ya?ml$/;

/**
 * Returns the files of a folder without kustomizations and without the patches and generator inputs that they name,
 * unless one lists the file among its resources. Those with Kubernetes objects are reported as skipped.
 */
export function withoutPatches(
  files: readonly string[],
  { skipped, notes }: FolderRemarks,
): readonly string[] {
  const owners = files.filter((file) => kustomization.test(basename(file)));
  const all = owners.map(readKustomization);
  const resources = new Set(all.flatMap((each) => each.resources));
  const left = new Set(files.filter((file) => !owners.includes(file)));
  for (const { file, patches, problems: found } of all) {
    notes.push(...found);
    skipped.addFile(file, kustomizationText);
    for (const each of left) {
      if (!patches.includes(resolve(each)) || resources.has(resolve(each))) continue;
      left.delete(each);
      skipped.addFile(each, `${file} lists it as a patch`);
    }
  }
  return [...left];
}

/** A kustomization with the files that it names. */
interface Kustomization {
  readonly file: string;
  readonly resources: readonly string[];
  readonly patches: readonly string[];
  readonly problems: readonly InputProblem[];
}

/** Fields that list patches: paths, objects with a `path`, or patches themselves. */
const patchFields = ['patches', 'patchesStrategicMerge', 'patchesJson6902', 'replacements'];
const generatorFields = ['configMapGenerator', 'secretGenerator'];

function readKustomization(file: string): Kustomization {
  const { value, problems } = readRoot(file);
  const listed = (field: string): readonly Value[] => listOf(value, field);
  const patches = patchFields.flatMap(listed).flatMap((each) => [each, fieldOf(each, 'path')]);
  const contents = generatorFields.flatMap(listed).flatMap((each) => [
    // The name of the key may stand before the path.
    ...listOf(each, 'files').map((path) => String(path).replace(/^[^=]*=/, '')),
    ...listOf(each, 'envs'),
    fieldOf(each, 'env'),
  ]);
  const absolute = (paths: readonly (Value | undefined)[]): string[] =>
    paths.filter((path) => typeof path === 'string').map((path) => resolve(dirname(file), path));
  return {
    file,
    resources: absolute(listed('resources')),
    patches: absolute([...patches, ...contents]),
    problems,
  };
}

function readRoot(file: string): {
  readonly value?: Value;
  readonly problems: readonly InputProblem[];
} {
  try {
    const { documents, problems } = readDocuments(new Source(file, readText(file)));
    const [document] = documents;
    return document === undefined ? { problems } : { value: document.value, problems };
  } catch (error) {
    return { problems: [{ file, message: readErrorText(error) }] };
  }
}

function listOf(value: Value | undefined, field: string): readonly Value[] {
  const list = fieldOf(value, field);
  return Array.isArray(list) ? list : [];
}

function fieldOf(value: Value | undefined, field: string): Value | undefined {
  return isRecord(value) && Object.hasOwn(value, field) ? value[field] : undefined;
}
