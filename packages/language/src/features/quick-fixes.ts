import { expressionAt } from '../lookup/expression-at.ts';
import type { ServiceContext } from '../service/service-context.ts';
import type { CodeAction, Position, Range } from '../workspace/protocol.ts';
import type { TextDocument } from '../workspace/text-document.ts';
import { deprecatedInExpression, deprecatedInYaml } from './deprecated-fields.ts';
import type { FoundDiagnostic } from './diagnostics.ts';
import { formatExpression } from './format-expression.ts';
import {
  type Change,
  guardWithHas,
  missingBinding,
  missingMark,
  nearestName,
} from './more-fixes.ts';

/** Returns the code actions at a range of a file: fixes of diagnostics, and formatting of the expression there. */
export function codeActions(
  context: ServiceContext,
  document: TextDocument,
  range: Range,
  found: readonly FoundDiagnostic[],
): readonly CodeAction[] {
  const here = found.filter(({ diagnostic }) => touches(diagnostic.range, range));
  const fixes = here.flatMap(({ diagnostic, issue, fix }): readonly CodeAction[] => {
    const own = fix === undefined ? [] : [{ title: fix.title, edits: fix.edits }];
    const more = [
      ...(issue.code === 'policy-without-binding' ? missingBinding(document, issue) : []),
      ...(fix === undefined ? nearestName(context, document, issue, diagnostic.range) : []),
      ...missingMark(document, issue, diagnostic.range),
    ];
    return [...own, ...more].map((change) => ({
      ...actionOf(document, change),
      diagnostics: [diagnostic],
      isPreferred: true,
    }));
  });
  const expression = expressionAt(document, range.start);
  const unguarded = here.filter(({ issue }) => issue.code === 'unguarded-field');
  const guards =
    unguarded.length === 0
      ? guardsAt(context, document, range.start).map((change): CodeAction => {
          return { ...actionOf(document, change), kind: 'refactor.rewrite' };
        })
      : unguarded.flatMap(({ diagnostic }) =>
          guardsAt(context, document, diagnostic.range.end).map((change): CodeAction => {
            return { ...actionOf(document, change), diagnostics: [diagnostic] };
          }),
        );
  const edit = expression === undefined ? undefined : formatExpression(expression);
  const deprecated =
    expression === undefined
      ? deprecatedInYaml(context, document, range.start)
      : deprecatedInExpression(context, expression);
  return [
    ...withoutTwins(fixes),
    ...deprecated.map((change) => ({ ...actionOf(document, change), isPreferred: true })),
    ...guards,
    ...(edit === undefined
      ? []
      : [
          {
            ...actionOf(document, { title: 'Format the expression', edits: [edit] }),
            kind: 'refactor.rewrite' as const,
          },
        ]),
  ];
}

function actionOf({ uri }: TextDocument, { title, edits }: Change): CodeAction {
  return { title, kind: 'quickfix', edit: { changes: { [uri]: edits } } };
}

/** Returns the guards of the field that is read at a position. */
function guardsAt(
  context: ServiceContext,
  document: TextDocument,
  position: Position,
): readonly Change[] {
  const found = expressionAt(document, position);
  return found === undefined ? [] : guardWithHas(context, found);
}

/** Two diagnostics of one cause are mended by one change. */
function withoutTwins(actions: readonly CodeAction[]): readonly CodeAction[] {
  const byChange = new Map<string, CodeAction>();
  for (const action of actions) {
    const key = JSON.stringify([action.title, action.edit]);
    const before = byChange.get(key);
    const diagnostics = [...(before?.diagnostics ?? []), ...(action.diagnostics ?? [])];
    byChange.set(key, { ...action, diagnostics });
  }
  return [...byChange.values()];
}

function touches(one: Range, other: Range): boolean {
  return !isBefore(one.end, other.start) && !isBefore(other.end, one.start);
}

function isBefore(left: Range['start'], right: Range['start']): boolean {
  return left.line < right.line || (left.line === right.line && left.character < right.character);
}
