import type { ObjectView } from '../policy/object-view.ts';
import type { Range } from '../text/text-lines.ts';
import type { Part } from '../workspace/part.ts';
import type { TextDocument } from '../workspace/text-document.ts';
import { contentOf, itemsOf, nodeAt, type OutlineNode, type ScalarNode } from '../yaml/nodes.ts';
import type { NamedThing, Occurrence } from './named-thing.ts';

/** Names that every rule of Kyverno knows already. */
const predefined = [
  'images',
  'request',
  'serviceAccountName',
  'serviceAccountNamespace',
  'element',
  'elementIndex',
  'target',
];

/** The entry of the context of a Kyverno rule that an index of its document names: where it is defined, or in JMESPath. */
export function contextEntryAt(
  document: TextDocument,
  object: ObjectView,
  offset: number,
): NamedThing | undefined {
  if (object.group !== 'kyverno.io') return undefined;
  const rule = itemsOf(nodeAt(object.root, 'spec', 'rules')).findLast(
    ({ start, end }) => start <= offset && offset <= end,
  );
  if (rule === undefined) return undefined;
  const { part } = object;
  const defined = scalars(entriesOf(rule).map((entry) => nodeAt(entry, 'name')));
  const used = usesIn(part, rule);
  const isWithin = ({ start, end }: Pick<OutlineNode, 'start' | 'end'>): boolean =>
    start <= offset && offset <= end;
  const found =
    defined.map((node) => ({ ...contentOf(node), name: part.textOf(node) ?? '' })).find(isWithin) ??
    used.find(isWithin);
  const names = defined.filter((node) => part.textOf(node) === found?.name);
  if (found === undefined || names.length === 0) return undefined;
  const rangeOf = ({ start, end }: Pick<OutlineNode, 'start' | 'end'>): Range =>
    document.range(part, start, end);
  const occurrences: readonly Occurrence[] = [
    ...names.map((node) => ({
      uri: document.uri,
      range: rangeOf(contentOf(node)),
      isDefinition: true,
    })),
    ...used
      .filter(({ name }) => name === found.name)
      .map((use) => ({ uri: document.uri, range: rangeOf(use), isDefinition: false })),
  ];
  const others = defined
    .map((node) => part.textOf(node) ?? '')
    .filter((name) => name !== found.name);
  const taken = new Set([...predefined, ...others]);
  return { kind: 'context entry', name: found.name, range: rangeOf(found), occurrences, taken };
}

/** The loops of a rule, those within others included. */
function loopsOf(rule: OutlineNode): readonly OutlineNode[] {
  const inner = (holder: OutlineNode | undefined): readonly OutlineNode[] =>
    itemsOf(nodeAt(holder, 'foreach')).flatMap((loop) => [loop, ...inner(loop)]);
  return ['validate', 'mutate', 'generate'].flatMap((action) => inner(nodeAt(rule, action)));
}

/** The entries of the contexts of a rule and of its loops. */
function entriesOf(rule: OutlineNode): readonly OutlineNode[] {
  return [rule, ...loopsOf(rule)].flatMap((holder) => itemsOf(nodeAt(holder, 'context')));
}

function scalars(nodes: readonly (OutlineNode | undefined)[]): readonly ScalarNode[] {
  return nodes.filter((node) => node?.kind === 'scalar');
}

interface Use {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

const templates = /\{\{(.*?)\}\}/gs;
// Strings and literals of JMESPath, which may have no end, then names that nothing precedes or calls.
const names =
  /'(?:[^'\\]|\\.)*'?|`[^`]*`?|"(?:[^"\\]|\\.)*"?|(?<![\w.@$])([A-Za-z_]\w*)(?!\w|\s*[(:])/g;

/** Whether a name behind a text is looked for in an element or a result: in a filter, behind `|` or `&`. */
function isRelative(before: string): boolean {
  const bare = before.replace(/'(?:[^'\\]|\\.)*'?|`[^`]*`?/g, '');
  const filter = bare.lastIndexOf('[?');
  const isFiltering = filter !== -1 && !bare.slice(filter).includes(']');
  return isFiltering || /(?:^|[^|])\|(?!\|)/.test(bare) || /(?:^|[^&])&$/.test(bare);
}

/** The names at which expressions in JMESPath of a rule begin. */
function usesIn({ text }: Part, rule: OutlineNode): readonly Use[] {
  const written = text.slice(rule.start, rule.end);
  // Without the rest, in which no template ends.
  const closed = written.slice(0, written.lastIndexOf('}}') + 2);
  const inTemplates = [...closed.matchAll(templates)].flatMap((match) => {
    const at = rule.start + match.index;
    const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
    const isText = /^\s*#/.test(line) || text[at - 1] === '\\';
    return isText ? [] : namesIn(match[1] ?? '', at + 2);
  });
  const inFields = fieldsIn(rule).flatMap((node) => {
    const { start, end } = contentOf(node);
    return namesIn(text.slice(start, end), start);
  });
  return [...inTemplates, ...inFields];
}

/** The fields of a rule that hold JMESPath without braces. */
function fieldsIn(rule: OutlineNode): readonly ScalarNode[] {
  const sources = ['variable', 'apiCall', 'globalReference'];
  return scalars([
    ...loopsOf(rule).map((loop) => nodeAt(loop, 'list')),
    ...entriesOf(rule).flatMap((entry) =>
      sources.map((source) => nodeAt(entry, source, 'jmesPath')),
    ),
  ]);
}

/** Longer expressions have no uses: finding them takes the square of their length. */
const longestExpression = 2000;

function namesIn(expression: string, start: number): readonly Use[] {
  if (expression.length > longestExpression) return [];
  return [...expression.matchAll(names)].flatMap(({ 1: name, index }) => {
    const before = expression.slice(0, index).trimEnd();
    if (name === undefined || before.endsWith('.') || isRelative(before)) return [];
    return [{ name, start: start + index, end: start + index + name.length }];
  });
}
