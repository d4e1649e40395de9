import { type ObjectView, objectsOf } from '../policy/object-view.ts';
import { policiesIn } from '../policy/policy-view.ts';
import type { Part } from '../workspace/part.ts';
import type { DocumentSymbol, FoldingRange } from '../workspace/protocol.ts';
import type { TextDocument } from '../workspace/text-document.ts';
import { entryOf, itemsOf, nodeAt, type OutlineNode } from '../yaml/nodes.ts';

const kinds = { object: 5, variable: 13, validation: 12, rule: 6 } as const;

/** The objects of a file, with the variables, validations, mutations and rules of policies. */
export function documentSymbols(document: TextDocument): readonly DocumentSymbol[] {
  return document.parts.flatMap((part) =>
    objectsOf(part).map((object) => {
      const { root, kind, name, nameNode } = object;
      const selection = nameNode ?? nodeAt(root, 'kind') ?? { start: root.start, end: root.start };
      return {
        name: name === '' ? kind || '(no kind)' : name,
        detail: kind,
        kind: kinds.object,
        range: document.range(part, root.start, endOf(part, root)),
        selectionRange: document.range(part, selection.start, selection.end),
        children: childrenOf(document, object),
      };
    }),
  );
}

const lists: readonly (readonly [
  path: readonly string[],
  label: string,
  name: string,
  kind: number,
])[] = [
  [['spec', 'matchConditions'], 'matchCondition', 'name', kinds.validation],
  [['spec', 'variables'], 'variable', 'name', kinds.variable],
  [['spec', 'validations'], 'validation', 'message', kinds.validation],
  [['spec', 'auditAnnotations'], 'auditAnnotation', 'key', kinds.validation],
  [['spec', 'mutations'], 'mutation', 'patchType', kinds.validation],
  [['spec', 'rules'], 'rule', 'name', kinds.rule],
  [['results'], 'result', 'rule', kinds.validation],
];

function childrenOf(document: TextDocument, object: ObjectView): readonly DocumentSymbol[] {
  const { part, root } = object;
  const isPolicy =
    policiesIn(object).length > 0 ||
    object.group.endsWith('kyverno.io') ||
    object.kind.endsWith('AdmissionPolicy');
  if (!isPolicy) return [];
  if (object.kind === 'CustomResourceDefinition') return rulesOf(document, object);
  return lists.flatMap(([path, label, name, kind]) =>
    itemsOf(nodeAt(root, ...path)).map((item, i): DocumentSymbol => {
      const named = part.textOf(nodeAt(item, name))?.split('\n', 1)[0]?.trim();
      const nameEntry = entryOf(item, name);
      const selection = nameEntry?.value ?? item;
      return {
        name: named === undefined || named === '' ? `${label} ${i + 1}` : named,
        detail: label,
        kind,
        range: document.range(part, item.start, endOf(part, item)),
        selectionRange: document.range(
          part,
          selection.start,
          Math.min(selection.end, endOf(part, item)),
        ),
        children: [],
      };
    }),
  );
}

/** The rules of a definition, by the begins of their expressions. */
function rulesOf(document: TextDocument, object: ObjectView): readonly DocumentSymbol[] {
  const { part } = object;
  return policiesIn(object).flatMap(({ expressions, rule }) =>
    expressions
      .filter(({ role }) => role === 'validation')
      .map(({ node }): DocumentSymbol => {
        const range = document.range(part, node.start, endOf(part, node));
        const name = part.scalar(node).value.trim().split('\n', 1)[0] ?? '';
        const about = [rule?.kind.version, ...(rule?.path ?? [])].join('.');
        return {
          name: name === '' ? 'rule' : name,
          detail: `rule of ${about}`,
          kind: kinds.rule,
          range,
          selectionRange: range,
          children: [],
        };
      }),
  );
}

/** The end of a node without the line ends behind it. */
function endOf({ text }: Part, { start, end }: OutlineNode): number {
  return start + text.slice(start, end).trimEnd().length;
}

/** Returns folding ranges: documents, and every value of more than one line. */
export function foldingRanges(document: TextDocument): readonly FoldingRange[] {
  const found = new Map<number, FoldingRange>();
  for (const part of document.parts) {
    const add = (start: number, node: OutlineNode): void => {
      const startLine = document.lines.positionAt(part.start + start).line;
      const endLine = document.lines.positionAt(part.start + endOf(part, node)).line;
      if (endLine > startLine && !found.has(startLine))
        found.set(startLine, { startLine, endLine });
    };
    const visit = (node: OutlineNode): void => {
      if (node.kind === 'list') {
        for (const { start, value } of node.items) {
          if (value === undefined) continue;
          add(start, value);
          visit(value);
        }
      }
      if (node.kind !== 'map') return;
      for (const { start, value } of node.entries) {
        if (value === undefined) continue;
        add(start, value);
        visit(value);
      }
    };
    if (part.outline === undefined) continue;
    if (part.text.startsWith('---')) add(0, part.outline);
    visit(part.outline);
  }
  return [...found.values()].sort((a, b) => a.startLine - b.startLine);
}
