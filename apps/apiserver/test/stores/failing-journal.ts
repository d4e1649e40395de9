import type { StoredEntry } from '@kubeadmit/apiserver/store';
import type { Change, Journal, JournalContent } from '../../src/stores/journal.ts';

/** How the next write fails. */
export type Failure =
  /** Nothing reaches the disk, as when it is full. */
  | 'nothing written'
  /** All reaches the disk, and only the answer does not come back, as when the wait for the disk fails. */
  | 'all written';

/** A journal in memory that fails on request. */
export class FailingJournal implements Journal {
  readonly entries = new Map<string, StoredEntry>();
  revision = 1;
  failure: Failure | undefined;
  /** Whether opening fails too, as on a disk that stays full. */
  isStuck = false;
  appends = 0;

  async open(): Promise<JournalContent> {
    return { entries: [...this.entries.values()], revision: this.revision };
  }

  async append(changes: readonly Change[]): Promise<void> {
    this.appends++;
    await new Promise((resolve) => setTimeout(resolve, 1));
    const { failure } = this;
    if (failure !== 'nothing written') {
      for (const { key, value, revision } of changes) {
        if (value === undefined) this.entries.delete(key);
        else this.entries.set(key, { key, value, revision });
        this.revision = revision;
      }
    }
    this.failure = undefined;
    if (failure !== undefined) throw new Error('no space left on device');
  }

  async reopen(): Promise<{ readonly revision: number }> {
    if (this.isStuck) throw new Error('still no space left on device');
    return { revision: this.revision };
  }

  async close(): Promise<void> {}
}
