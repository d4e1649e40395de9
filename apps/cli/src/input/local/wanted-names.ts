import { configurationFile } from './configuration-file.ts';

const extension = /\.(?:ya?ml|json)$/;

/** Why a kustomization is skipped that contains other objects. */
export const kustomizationText = 'it is a kustomization file';

/** Whether a name may be that of a file with manifests, for any tool. */
export function mayHoldManifests(name: string): boolean {
  return extension.test(name.toLowerCase());
}

/** Whether a path is that of a test suite. */
export function isSuite(path: string): boolean {
  return /\.admit\.(?:ya?ml|json)$/.test(path);
}

/** Returns why a folder of this name is skipped; undefined if its files are read. */
export function folderSkipReason(name: string): string | undefined {
  if (name.startsWith('.')) return 'the name of its folder starts with a dot';
  return name === 'node_modules' ? 'it is in a node_modules folder' : undefined;
}

/** Returns why a file of this name is skipped among others, if it may hold manifests; undefined if it is read. */
export function fileSkipReason(name: string): string | undefined {
  if (name.startsWith('.')) return 'its name starts with a dot';
  if (name === configurationFile) return 'it is the configuration file of kubeadmit';
  if (isSuite(name) || /\.admit\.snap$/.test(name.replace(extension, ''))) {
    return 'it is a test suite';
  }
  return extension.test(name) ? undefined : 'its extension is not in lower case';
}

/** Returns why a path in an archive or a revision is skipped, if it may hold manifests; undefined if it is read. */
export function pathSkipReason(path: string): string | undefined {
  const folders = path.split('/');
  const name = folders.pop() ?? '';
  if (folders.includes('..')) return 'its path leads outside the archive';
  return folders.map(folderSkipReason).find((why) => why !== undefined) ?? fileSkipReason(name);
}
