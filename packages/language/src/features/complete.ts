import { expressionAt } from '../lookup/expression-at.ts';
import type { ServiceContext } from '../service/service-context.ts';
import type { Position } from '../text/text-lines.ts';
import type { CompletionItem } from '../workspace/protocol.ts';
import type { TextDocument } from '../workspace/text-document.ts';
import { completeExpression } from './complete-expression.ts';
import { completeYaml } from './complete-yaml.ts';

/** Returns completions at a position of a file. */
export function complete(
  context: ServiceContext,
  document: TextDocument,
  position: Position,
): readonly CompletionItem[] {
  const found = expressionAt(document, position);
  return found === undefined
    ? completeYaml(context, document, position)
    : completeExpression(context, found);
}
