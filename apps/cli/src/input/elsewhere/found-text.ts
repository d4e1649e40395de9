/** A text that lies elsewhere than in a file of its own, by the name that people know it by. */
export interface FoundText {
  readonly name: string;
  readonly bytes: Uint8Array;
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
