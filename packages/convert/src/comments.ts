import { isMap, isNode, isPair, isScalar, isSeq, parseAllDocuments } from 'yaml';

/** A comment of a YAML text, and the place that it is about. */
export interface PlacedComment {
  /** The field that it is about. */
  readonly path: readonly (string | number)[];
  /** Its lines, without the `#`. */
  readonly lines: readonly string[];
}

/** Returns the comments of one document of a YAML text in order, each with the path of the node it belongs to. */
export function commentsIn(text: string, document = 0): readonly PlacedComment[] {
  if (!text.includes('#')) return [];
  const root = parseAllDocuments(text)[document];
  if (root === undefined || !('contents' in root)) return [];
  const found: PlacedComment[] = [];
  const add = (path: PlacedComment['path'], ...comments: unknown[]): void => {
    for (const comment of comments) {
      if (typeof comment !== 'string') continue;
      const lines = comment.split('\n').map((line) => line.replace(/^ /, ''));
      // Blank lines part comments from each other.
      const own = lines.filter((line, at) => line.trim() !== '' || lines[at - 1]?.trim() !== '');
      if (own.some((line) => line.trim() !== '')) found.push({ path, lines: own });
    }
  };
  const walk = (node: unknown, path: PlacedComment['path']): void => {
    if (isPair(node)) {
      const key = isScalar(node.key) ? String(node.key.value) : String(node.key);
      const inner = [...path, key];
      if (isNode(node.key)) add(inner, node.key.commentBefore, node.key.comment);
      walk(node.value, inner);
      return;
    }
    if (!isNode(node)) return;
    add(path, node.commentBefore);
    if (isMap(node)) for (const pair of node.items) walk(pair, path);
    if (isSeq(node)) for (const [at, item] of node.items.entries()) walk(item, [...path, at]);
    add(path, node.comment);
  };
  add([], root.commentBefore);
  walk(root.contents, []);
  add([], root.comment);
  return found;
}

/** The positions of the comments about a rule or its policy in the converted policy. */
export type CommentsByField = ReadonlyMap<string, readonly string[]>;

const header = '';

/**
 * The comments about a rule by the field of the result that they are about; those of the policy with its first rule.
 */
export function commentsOfRule(comments: readonly PlacedComment[], rule: number): CommentsByField {
  const found = new Map<string, string[]>();
  for (const { path, lines } of comments) {
    const [spec, rules, at, part = ''] = path;
    const isOfRule = spec === 'spec' && rules === 'rules' && typeof at === 'number';
    if (isOfRule ? at !== rule : rule !== 0) continue;
    const field = isOfRule ? (fields.get(String(part)) ?? header) : header;
    found.set(field, [...(found.get(field) ?? []), ...lines]);
  }
  return found;
}

const fields: ReadonlyMap<string, string> = new Map([
  ['match', 'matchConstraints'],
  ['exclude', 'matchConstraints'],
  ['preconditions', 'matchConditions'],
  ['context', 'variables'],
  ['validate', 'validations'],
  ['mutate', 'mutations'],
]);

/** Where a field is not in the result, its comments stand above the next of these that is. */
const order = ['matchConstraints', 'matchConditions', 'variables', 'validations', 'mutations'];

/** The YAML text of a policy with comments above the fields that they are about. */
export function withComments(text: string, comments: CommentsByField): string {
  const lines = text.split('\n');
  const placed = new Map<string, readonly string[]>();
  for (const [field, own] of comments) {
    const target =
      order.slice(order.indexOf(field)).find((each) => lines.includes(`  ${each}:`)) ?? header;
    const at = field === header ? header : target;
    placed.set(at, [...(placed.get(at) ?? []), ...own]);
  }
  const written = (field: string, indent: string): readonly string[] =>
    (placed.get(field) ?? []).map((line) => `${indent}# ${line}`.trimEnd());
  return [
    ...written(header, ''),
    ...lines.flatMap((line) => {
      const [, field = header] = /^ {2}(\w+):$/.exec(line) ?? [];
      return field === header ? [line] : [...written(field, '  '), line];
    }),
  ].join('\n');
}
