import { unescapePointerSegment } from '@kubeadmit/go/internal';
import {
  type Container,
  type Node,
  type PatchedDocument,
  readMember,
  writtenNull,
} from './document.ts';
import { existingIndex } from './list-index.ts';

/** Where a pointer leads: a container, perhaps one that an operation set to null, and a key. */
export interface Target {
  readonly container: Container;
  readonly key: string;
  /** The container is a null that an operation wrote; nothing can be added to it. */
  readonly isWrittenNull: boolean;
}

/**
 * Follows a pointer to the container of its last segment (evanphx json-patch v4, findObject);
 * `undefined` when something on the way is missing.
 *
 * The first segment counts for nothing, also when it is not empty.
 */
export function findTarget(document: PatchedDocument, path: string): Target | undefined {
  let start = path.indexOf('/');
  if (start < 0) return undefined;
  let container = document.ownRoot();
  if (container === undefined) return undefined;
  let end = path.indexOf('/', start + 1);
  while (end >= 0) {
    const key = memberKey(container, unescapePointerSegment(path.slice(start + 1, end)));
    if (key === undefined) return undefined;
    start = end;
    end = path.indexOf('/', start + 1);
    if (readMember(container, key) === writtenNull) {
      if (end >= 0) return undefined;
      return {
        container: {},
        key: unescapePointerSegment(path.slice(start + 1)),
        isWrittenNull: true,
      };
    }
    const next: Container | undefined = document.ownMember(container, key);
    if (next === undefined) return undefined;
    container = next;
  }
  return { container, key: unescapePointerSegment(path.slice(start + 1)), isWrittenNull: false };
}

function memberKey(container: Container, segment: string): string | number | undefined {
  if (!Array.isArray(container)) return segment;
  const index = existingIndex(container, segment);
  return 'error' in index ? undefined : index.index;
}

/** Reads what a target names: a node, nothing, or what is wrong with an index. */
export function readTarget(
  target: Target,
): { readonly node: Node | undefined } | { readonly error: string } {
  if (!Array.isArray(target.container)) return { node: readMember(target.container, target.key) };
  const index = existingIndex(target.container, target.key);
  return 'error' in index ? index : { node: target.container[index.index] };
}

/** Whether a node counts as missing: it is, or the document has null there. */
export function isMissing(node: Node | undefined): node is null | undefined {
  return node === undefined || node === null;
}
