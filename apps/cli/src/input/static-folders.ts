import {
  readErrorText,
  readText,
  staticManifestFiles,
  staticManifestsProblem,
} from '@kubeadmit/files';
import type { GivenManifest } from '@kubeadmit/lint';
import { readManifests, Source } from '@kubeadmit/manifest';
import { CommandFailure } from '../process/terminal.ts';
import { boundaryOf } from './local/boundary.ts';
import type { ProblemListener } from './read-inputs.ts';
import type { FileOptions } from './sources.ts';

/**
 * Reads folders as kube-apiserver reads its `staticManifestsDir`: the files of each folder itself whose names end in
 * `.yaml`, `.yml` or `.json`, by their names, and nothing below it.
 *
 * @throws CommandFailure for a folder that cannot be read, and for a version that does not read any.
 */
export function readStaticFolders(
  folders: readonly string[],
  kubernetesVersion: string | undefined,
  { fail, note }: ProblemListener,
  { allowOutside }: Pick<FileOptions, 'allowOutside'>,
): readonly GivenManifest[] {
  const problem = staticManifestsProblem('--static-manifests', kubernetesVersion);
  if (folders.length > 0 && problem !== undefined) throw new CommandFailure(problem);
  const boundary = boundaryOf(folders, { allowOutside });
  return folders.flatMap((folder) => {
    const files = filesOf(folder);
    if (files.length === 0) {
      const why = 'the folder contains no .yaml, .yml or .json file';
      note({ file: folder, message: `${why}, so a server would load nothing from it` });
    }
    return files.flatMap((file) => {
      try {
        boundary.require(file);
        const source = new Source(file, readText(file, { regularOnly: true }));
        const { manifests, problems } = readManifests(source);
        problems.forEach(fail);
        if (manifests.length + problems.length === 0) {
          note({ file, message: 'the file contains no Kubernetes object' });
        }
        return manifests.map((manifest) => ({ manifest, role: 'static' as const }));
      } catch (error) {
        fail({ file, message: readErrorText(error) });
        return [];
      }
    });
  });
}

function filesOf(folder: string): readonly string[] {
  try {
    return staticManifestFiles(folder);
  } catch (error) {
    throw new CommandFailure(`--static-manifests ${folder}: ${readErrorText(error)}`);
  }
}
