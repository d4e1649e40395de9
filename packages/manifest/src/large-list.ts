/** A stretch of a text, from its first index to the one after its last. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** A YAML document that is a list, cut between its items. */
export interface ListParts {
  /** The document without the items, with line feeds only. */
  readonly head: string;
  /** Each item as a block sequence of one element. */
  readonly items: readonly Stretch[];
}

/** Trees of YAML take a hundred times the memory of their text, so that size begins to matter here. */
const large = 500_000;

/**
 * The key `items` with a block sequence below, as `kubectl get -o yaml` writes lists. Without a comment, which may end
 * before its line does.
 */
const itemsKey = /^items: *\r?\n/m;

/** Anchors and aliases may tie items together. */
const anchorOrAlias = /(?:^|[\s:,[{-])[&*][^\s,[\]{}]/m;

/**
 * Cuts a large document of `kind: List` between its items, so that they can be parsed one by one; `undefined` for
 * everything else.
 *
 * The cuts are right if {@link readPlainYaml} reads the head, because it reads no quotes or brackets over several lines
 * and no second `items`, and if each item is read as one element. Otherwise the complete document must be parsed at
 * once.
 */
export function cutLargeList(text: string, { start, end }: Stretch): ListParts | undefined {
  if (end - start < large) return undefined;
  const document = text.slice(start, end);
  const key = itemsKey.exec(document);
  if (key === null || anchorOrAlias.test(document)) return undefined;
  const first = key.index + key[0].length;
  const indent = /^( *)- /.exec(document.slice(first, first + 100))?.[1];
  if (indent === undefined) return undefined;
  const starts: number[] = [];
  let last = document.length;
  const line = new RegExp(`^(?:(${indent}- )|[^ \\r\\n#-])`, 'gm');
  line.lastIndex = first;
  for (let match = line.exec(document); match !== null; match = line.exec(document)) {
    if (match[1] === undefined) {
      last = match.index;
      break;
    }
    starts.push(match.index);
  }
  return {
    head: (document.slice(0, key.index) + document.slice(last)).replaceAll('\r\n', '\n'),
    items: starts.map((from, index) => ({
      start: start + from,
      end: start + (starts[index + 1] ?? last),
    })),
  };
}
