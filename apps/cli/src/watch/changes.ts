import { type FSWatcher, watch } from 'node:fs';

/** How long nothing may happen before a change counts as whole, in milliseconds: editors write in several steps. */
const quiet = 50;

/** Notifies a listener that something changed in the watched folders; the listener finds out what changed. */
export class Changes {
  readonly #tell: () => void;
  readonly #watchers = new Map<string, FSWatcher>();
  #timer: NodeJS.Timeout | undefined;

  constructor(tell: () => void) {
    this.#tell = tell;
  }

  /** Watches folders, each by itself, from now on. */
  watch(folders: Iterable<string>): void {
    for (const folder of folders) {
      if (this.#watchers.has(folder)) continue;
      try {
        const watcher = watch(folder, () => this.#happened());
        // A folder that is gone is caught in the one around it.
        watcher.on('error', () => this.#forget(folder));
        this.#watchers.set(folder, watcher);
      } catch {
        // Deleted in the meantime: the watch of its parent folder reports it.
      }
    }
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers.values()) watcher.close();
  }

  #forget(folder: string): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
    this.#happened();
  }

  #happened(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#tell, quiet);
  }
}
