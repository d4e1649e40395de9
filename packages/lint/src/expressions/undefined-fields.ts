import type { GroupVersionKind } from '@kubeadmit/apimachinery';
import { closest, getOrMake } from '@kubeadmit/base';
import { childrenOf, type Expression } from '@kubeadmit/cel/syntax';
import type { Schemas } from '@kubeadmit/schemas';
import { type MergeType, mergeType } from '@kubeadmit/schemas/merge';
import {
  type AccessPath,
  accessPath,
  element,
  elementPath,
  type NamedPaths,
} from './access-path.ts';

/**
 * Whether a field that the server's type checker does not find is there all the same: it does not follow every
 * reference of its schemas.
 */
export function isFieldThere(
  tree: Expression,
  field: string,
  { kinds, schemas }: { readonly kinds: readonly GroupVersionKind[]; readonly schemas: Schemas },
): boolean {
  const paths = readsOf(tree, field);
  if (paths.length === 0 || kinds.length === 0) return false;
  return paths.every((path) => kinds.every((kind) => typeAt(schemas, kind, path) !== undefined));
}

/** Returns the likely field in the place of an unknown one that an expression reads from objects of a kind. */
export function nearestField(
  tree: Expression,
  field: string,
  { kinds, schemas }: { readonly kinds: readonly GroupVersionKind[]; readonly schemas: Schemas },
): string | undefined {
  const owners = readsOf(tree, field).flatMap((path) =>
    kinds.map((kind) => typeAt(schemas, kind, path.slice(0, -1))),
  );
  const meant = new Set(
    owners.flatMap((type) =>
      type === undefined || type.map?.field(field) !== undefined
        ? []
        : [closest(field, type.map?.names?.() ?? [])],
    ),
  );
  const [only] = meant;
  return meant.size === 1 ? only : undefined;
}

/** The paths of all reads of a field; one that is not known counts as none that is there. */
function readsOf(tree: Expression, field: string): readonly AccessPath[] {
  const reads = getOrMake(readsOfTrees, tree, () => {
    const found: Reads = new Map();
    collectReads(tree, new Map(), found);
    return found;
  });
  return [...(reads.get(field)?.values() ?? [])];
}

/** The different paths that an expression reads, by the field at their end and by their text. */
type Reads = Map<string, Map<string, AccessPath>>;

/** An expression can have as many unknown fields as it has reads. */
const readsOfTrees = new WeakMap<Expression, Reads>();

function collectReads(expression: Expression, names: NamedPaths, found: Reads): void {
  if (expression.kind === 'comprehension' && expression.macro !== undefined) {
    const inner = new Map(names);
    inner.set(expression.variable, elementPath(expression, names));
    collectReads(expression.range, names, found);
    for (const each of expression.macro.arguments) collectReads(each, inner, found);
    return;
  }
  for (const each of childrenOf(expression)) collectReads(each, names, found);
  if (expression.kind !== 'select') return;
  const { field, operand } = expression;
  const from = accessPath(operand, names);
  const path = from === undefined ? [] : [...from, field];
  getOrMake(found, field, () => new Map()).set(path.map(String).join('\n'), path);
}

/** The type at a path in objects of a kind; undefined if the path does not exist. */
function typeAt(
  schemas: Schemas,
  kind: GroupVersionKind,
  [root, ...steps]: AccessPath,
): MergeType | undefined {
  if (root !== 'object' && root !== 'oldObject') return undefined;
  let type = mergeType(schemas, kind);
  for (const step of steps) {
    type = step === element ? type?.list?.element : type?.map?.field(step)?.type;
  }
  return type;
}
