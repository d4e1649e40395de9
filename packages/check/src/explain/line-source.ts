import type { Value } from '@kubeadmit/cel';
import type { ObjectPath } from '@kubeadmit/chain/expressions';
import { type Change, operationsOf } from '@kubeadmit/chain/findings';
import { isReview } from '@kubeadmit/chain/requests';
import { compareText, escapePointerSegment } from '@kubeadmit/go';
import { type Manifest, valueAt } from '@kubeadmit/manifest';

/** Returns the line of a value that a reader sees, or `undefined` if it is not in the file. */
export type LineSource = (path: ObjectPath, reader: Reader) => number | undefined;

/** Which policy reads a value, and in which pass. */
export interface Reader {
  readonly kind: string;
  readonly name: string;
  readonly pass: 1 | 2;
}

/**
 * Returns the lines of values in a manifest, as a policy sees it; values added by defaults or changed by earlier
 * mutations have none. An object to which an admission plugin added a field keeps its line.
 */
export function lineSource(manifest: Manifest, changes: readonly Change[]): LineSource {
  if (isReview(manifest)) return () => undefined;
  const changed = changes.flatMap((change) =>
    operationsOf(change).map((operation) => ({ ...change, pointer: operation.path })),
  );
  const known = new Map<string, number | undefined>();
  return (path, reader) => {
    const pointer = path.map((part) => `/${escapePointerSegment(String(part))}`).join('');
    const isFirst = reader.kind === 'MutatingAdmissionPolicy' && reader.pass === 1;
    const isChanged = changed.some(
      (each) =>
        (!isFirst || isBefore(each, reader)) &&
        (isWithin(pointer, each.pointer) ||
          // Plugins add fields to most pods; a container remains where it is.
          (each.plugin === undefined && isWithin(each.pointer, pointer))),
    );
    if (isChanged) return undefined;
    if (known.has(pointer)) return known.get(pointer);
    const isThere = valueAt(manifest.object as Value, path) !== undefined;
    const line = isThere ? manifest.place(path).line : undefined;
    known.set(pointer, line);
    return line;
  };
}

/** Whether a change precedes a policy in the first pass, in which plugins run first and policies by their names. */
function isBefore({ plugin, policy, pass }: Change, reader: Reader): boolean {
  return pass === 1 && (plugin !== undefined || compareText(policy, reader.name) < 0);
}

function isWithin(pointer: string, outer: string): boolean {
  return pointer === outer || pointer.startsWith(`${outer}/`);
}
