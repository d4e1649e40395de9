import type { Log } from '../logging/log.ts';
import { type AdviceOptions, adviceOn } from './advice.ts';
import type { FolderSnapshot } from './read-snapshot.ts';
import type { Problem } from './snapshot.ts';

/** Keeps lint's warnings about the newest files. Policies are used without waiting for them. */
export class Advisor {
  readonly #log: Log;
  readonly #found: (advice: readonly Problem[], before: readonly Problem[]) => void;
  #advice: readonly Problem[] = [];
  /** The files that the advice is about, or is looked for. */
  #files: FolderSnapshot | undefined;
  #advising: Promise<void> = Promise.resolve();

  /** @param found called with new warnings and those before them */
  constructor(log: Log, found: (advice: readonly Problem[], before: readonly Problem[]) => void) {
    this.#log = log;
    this.#found = found;
  }

  /** The warnings about the files, as far as they were found. */
  get advice(): readonly Problem[] {
    return this.#advice;
  }

  /** Looks for warnings about files in the background, unless it has. */
  advise(files: FolderSnapshot, options: AdviceOptions): void {
    if (files === this.#files) return;
    this.#files = files;
    this.#advising = this.#advising
      .then(async () => {
        const advice = files === this.#files ? await adviceOn(files.sources, options) : [];
        if (files !== this.#files) return;
        const before = this.#advice;
        this.#advice = advice;
        this.#found(advice, before);
      })
      .catch((error: unknown) => this.#log.error({ err: error }, 'policies could not be linted'));
  }
}
