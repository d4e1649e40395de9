/** A text that lies elsewhere than in a file of its own, by the name that people know it by. */
export interface FoundText {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** What is read of an archive or a revision, and what is worth saying of it. */
export interface WantedFiles {
  readonly texts: readonly FoundText[];
  readonly note?: string;
}

/** What cannot be got from elsewhere, in a sentence for people. */
export class ElsewhereError extends Error {
  /** What a program ended with, where one failed. */
  readonly exitCode: number | undefined;

  constructor(message: string, exitCode?: number | null) {
    super(message);
    this.exitCode = exitCode ?? undefined;
  }
}

/** Whether a name is that of an archive. */
export function isArchiveName(name: string): boolean {
  return /\.(?:tar|tar\.gz|tgz)$/.test(name);
}

/** Whether a name is that by which kustomize knows a folder. */
export function isKustomizationFile(name: string): boolean {
  return /(?:^|\/)(?:kustomization\.ya?ml|Kustomization)$/.test(name);
}

/** What is worth saying of a kustomization that lies where kustomize does not read. */
export function unbuilt(place: 'archive' | 'revision'): string {
  const way = place === 'archive' ? 'unpack it' : 'check it out';
  return `this ${place} holds a kustomization, which is not built: its files are read as they are; ${way} and name the folder to have it built`;
}
