import type { Machinery } from '../machinery/machinery.ts';
import type { StoredEntry, StoreEvent } from '../store/store.ts';

/**
 * Takes everything that is stored under a prefix, and then every change; after an error, or when the store has forgotten
 * changes, it starts again.
 */
export async function follow(
  { registry: { store }, options: { clock } }: Machinery,
  { prefix, signal }: { readonly prefix: string; readonly signal: AbortSignal },
  take: (entries: readonly StoredEntry[]) => Promise<(event: StoreEvent) => Promise<void>>,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const { entries, revision } = await store.range({ prefix });
      const apply = await take(entries);
      for await (const event of store.watch({ prefix, after: revision, signal })) {
        await apply(event);
      }
    } catch {
      await clock.sleep(1000, signal);
    }
  }
}
