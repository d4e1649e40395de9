import type { StoredEntry } from '@kubeadmit/apiserver/store';

/** A write of one entry; without a value its deletion. */
export interface Change {
  readonly key: string;
  readonly value?: string;
  /** One more than that of the change before it. */
  readonly revision: number;
  /** The revision of the entry that it replaces; 0 for none. */
  readonly expected: number;
}

/** The content of a journal: entries, and the revision of the last change. */
export interface JournalContent {
  readonly entries: readonly StoredEntry[];
  readonly revision: number;
}

/** Persists entries: when a call resolves, all of its changes are on disk; otherwise none of them counts. */
export interface Journal {
  open(): Promise<JournalContent>;
  append(changes: readonly Change[]): Promise<void>;
  /** Reopens the journal after a failure and returns its revision. */
  reopen(): Promise<{ readonly revision: number }>;
  close(): Promise<void>;
}
