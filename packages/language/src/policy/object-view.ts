import type { GroupVersion } from '@kubeadmit/apimachinery';
import type { Part } from '../workspace/part.ts';
import type { TextDocument } from '../workspace/text-document.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { itemsOf, nodeAt, type OutlineNode, type ScalarNode } from '../yaml/nodes.ts';

/** An object as far as its text shows it, whether it can be read or not. */
export interface ObjectView {
  readonly part: Part;
  readonly root: OutlineNode;
  readonly apiVersion: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly nameNode: ScalarNode | undefined;
}

const views = Symbol('object views');

/** The objects of a document: one, or the items of a list. */
export function objectsOf(part: Part): readonly ObjectView[] {
  const known = part.memory.get(views) as readonly ObjectView[] | undefined;
  if (known !== undefined) return known;
  const found = viewsOf(part, part.outline);
  part.memory.set(views, found);
  return found;
}

function viewsOf(part: Part, root: OutlineNode | undefined): readonly ObjectView[] {
  if (root?.kind !== 'map') return [];
  const items = nodeAt(root, 'items');
  const kind = part.textAt(root, 'kind');
  if (kind.endsWith('List') && items?.kind === 'list') {
    return itemsOf(items).flatMap((item) => viewsOf(part, item));
  }
  const apiVersion = part.textAt(root, 'apiVersion');
  const nameNode = nodeAt(root, 'metadata', 'name');
  return [
    {
      part,
      root,
      apiVersion,
      ...groupVersionOf(apiVersion),
      kind,
      name: part.textOf(nameNode) ?? '',
      namespace: part.textAt(root, 'metadata', 'namespace'),
      nameNode: nameNode?.kind === 'scalar' ? nameNode : undefined,
    },
  ];
}

/** An object with its file. */
export interface LocatedObject {
  readonly document: TextDocument;
  readonly object: ObjectView;
}

/** The objects of all files. */
export function objectsIn(workspace: Pick<Workspace, 'parts'>): readonly LocatedObject[] {
  return [...workspace.parts()].flatMap(({ document, part }) =>
    objectsOf(part).map((object) => ({ document, object })),
  );
}

/** The group and the version of an `apiVersion`, however much of it is written. */
export function groupVersionOf(apiVersion: string): GroupVersion {
  const slash = apiVersion.indexOf('/');
  return { group: apiVersion.slice(0, Math.max(slash, 0)), version: apiVersion.slice(slash + 1) };
}

/** The object that an index of a document lies in: the last one that begins before it. */
export function objectAt(part: Part, offset: number): ObjectView | undefined {
  const objects = objectsOf(part);
  return objects.findLast(({ root }) => root.start <= offset) ?? objects[0];
}
