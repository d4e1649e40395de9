import { configurationFile } from './configuration-file.ts';

const extension = /\.(?:ya?ml|json)$/;

/** Why a kustomization is skipped that contains other objects. */
export const kustomizationText = 'its name is that of a kustomization';

/** Whether a name may be that of a file with manifests, for any tool. */
export function mayHoldManifests(name: string): boolean {
  return extension.test(name.toLowerCase());
}

/** Returns why a folder of this name is skipped; undefined if its files are read. */
export function folderSkipReason(name: string): string | undefined {
  if (name.startsWith('.')) return 'in a folder whose name begins with a dot';
  return name === 'node_modules' ? 'in a folder called `node_modules`' : undefined;
}

/** Returns why a file of this name is skipped among others, if it may hold manifests; undefined if it is read. */
export function fileSkipReason(name: string): string | undefined {
  if (name.startsWith('.')) return 'its name begins with a dot';
  if (name === configurationFile) return "its name is that of kubeadmit's configuration";
  if (/\.admit(?:\.snap)?$/.test(name.replace(extension, ''))) {
    return 'its name is that of a suite of tests';
  }
  return extension.test(name) ? undefined : 'its extension is not in lower case';
}

/** Returns why a path in an archive or a revision is skipped, if it may hold manifests; undefined if it is read. */
export function pathSkipReason(path: string): string | undefined {
  const folders = path.split('/');
  const name = folders.pop() ?? '';
  if (folders.includes('..')) return 'its name leads out of the archive';
  return folders.map(folderSkipReason).find((why) => why !== undefined) ?? fileSkipReason(name);
}
