/** A text from another place than a file, with the name for reports. */
export interface FoundText {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The path that a link of an archive leads to, from the root of the archive; absent for files. */
  readonly target?: string;
}

/** The files that are read of an archive or a revision, and a remark about them. */
export interface WantedFiles {
  readonly texts: readonly FoundText[];
  readonly note?: string;
}

/** An input that cannot be read; the message is for users. */
export class ElsewhereError extends Error {
  /** The exit code of a program that failed. */
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

/** A remark about a kustomization in an archive or a revision, where kustomize does not read it. */
export function unbuilt(place: 'archive' | 'revision'): string {
  const way = place === 'archive' ? 'unpack it' : 'check it out';
  return `this ${place} contains a kustomization that is not built; its files are read without it. To build it, ${way} and name the folder`;
}
