import type { CodeAction, Range } from '../protocol.ts';
import type { ServiceContext } from '../service-context.ts';
import type { TextDocument } from '../workspace/text-document.ts';
import type { FoundDiagnostic } from './diagnostics.ts';
import { expressionAt } from './expression-at.ts';
import { formatExpression } from './format-expression.ts';
import { guardWithHas, missingBinding, nearestName } from './more-fixes.ts';

/** What can be changed at a range of a file: what mends diagnostics, and the form of the expression there. */
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
      ...(fix === undefined ? nearestName(context, document, diagnostic) : []),
    ];
    return [...own, ...more].map(({ title, edits }) => ({
      title,
      kind: 'quickfix',
      diagnostics: [diagnostic],
      isPreferred: true,
      edit: { changes: { [document.uri]: edits } },
    }));
  });
  const expression = expressionAt(document, range.start);
  const guard = expression === undefined ? [] : guardWithHas(context, expression);
  const edit = expression === undefined ? undefined : formatExpression(expression);
  return [
    ...fixes,
    ...guard.map(
      ({ title, edits }): CodeAction => ({
        title,
        kind: 'refactor.rewrite',
        edit: { changes: { [document.uri]: edits } },
      }),
    ),
    ...(edit === undefined
      ? []
      : [
          {
            title: 'Format the expression',
            kind: 'refactor.rewrite' as const,
            edit: { changes: { [document.uri]: [edit] } },
          },
        ]),
  ];
}

function touches(one: Range, other: Range): boolean {
  return !isBefore(one.end, other.start) && !isBefore(other.end, one.start);
}

function isBefore(left: Range['start'], right: Range['start']): boolean {
  return left.line < right.line || (left.line === right.line && left.character < right.character);
}
