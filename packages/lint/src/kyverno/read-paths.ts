import { type Node, parse } from '@kubeadmit/kyverno/jmespath';

/** A path into the data of a query, `[]` for the elements of lists: `request`, `object`, `spec`, `containers`, `[]`. */
export type ReadPath = readonly string[];

/** Returns the paths that a JMESPath query reads; none for an invalid query. */
export function readPaths(query: string): readonly ReadPath[] {
  let tree: Node;
  try {
    tree = parse(query.trim());
  } catch {
    return [];
  }
  return [...pathsOf(tree)];
}

/** The kinds of nodes whose parts read the same data as they do. */
const sharing: ReadonlySet<Node['kind']> = new Set([
  ...(['or', 'and', 'not', 'comparator', 'call', 'list'] as const),
]);

function* pathsOf(node: Node): Generator<ReadPath> {
  const { steps } = chainOf(node);
  if (steps.length > 0) yield steps;
  else if (sharing.has(node.kind)) for (const child of node.children) yield* pathsOf(child);
  // The other children read the result of the first one.
  else if (node.children[0] !== undefined && node.kind !== 'reference') {
    yield* pathsOf(node.children[0]);
  }
}

/** The path that a node reads, up to the first part that is not a path. */
interface Chain {
  readonly steps: ReadPath;
  readonly isWhole: boolean;
}

const none: Chain = { steps: [], isWhole: false };

function chainOf({ kind, value, children: [first, second] }: Node): Chain {
  switch (kind) {
    case 'field':
      return { steps: [String(value)], isWhole: true };
    case 'identity':
    case 'current':
      return { steps: [], isWhole: true };
    case 'index':
    case 'slice':
      return { steps: ['[]'], isWhole: kind === 'index' };
    case 'flatten':
      return first === undefined ? none : chainOf(first);
    case 'subexpression':
    case 'indexed':
      return joined(first, [], second);
    case 'projection':
    case 'filter':
      return joined(first, ['[]'], second);
    default:
      return none;
  }
}

function joined(first: Node | undefined, between: ReadPath, second: Node | undefined): Chain {
  const start = first === undefined ? none : chainOf(first);
  if (!start.isWhole) return start;
  const end = second === undefined ? none : chainOf(second);
  return { steps: [...start.steps, ...between, ...end.steps], isWhole: end.isWhole };
}
