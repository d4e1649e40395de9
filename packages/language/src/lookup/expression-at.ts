import { trimRight } from '@kubeadmit/go';
import { objectAt } from '../policy/object-view.ts';
import { type ExpressionView, type PolicyView, policiesIn } from '../policy/policy-view.ts';
import type { Position, Range } from '../text/text-lines.ts';
import type { Part } from '../workspace/part.ts';
import type { TextDocument } from '../workspace/text-document.ts';
import { isBlock } from '../yaml/nodes.ts';
import { isBelowBlock } from '../yaml/position.ts';
import { ScalarText } from '../yaml/scalar-text.ts';

/** An expression of a policy at a position. */
export interface ExpressionAt {
  readonly document: TextDocument;
  readonly part: Part;
  readonly policy: PolicyView;
  readonly view: ExpressionView;
  readonly scalar: ScalarText;
  /** The position within the expression's text. */
  readonly at: number;
}

/** The expression that a position lies in. */
export function expressionAt(document: TextDocument, position: Position): ExpressionAt | undefined {
  const { part, offset } = document.at(position);
  const object = objectAt(part, offset);
  if (object === undefined) return undefined;
  for (const policy of policiesIn(object)) {
    for (const view of policy.expressions) {
      const { node } = view;
      // Blanks after a plain scalar are not part of it, but the next typed character will be.
      const isBehind = node.style === 'plain' && /^[ \t]+$/.test(part.text.slice(node.end, offset));
      const from = isBlock(node) ? part.text.indexOf('\n', node.start) + 1 : node.start;
      if (offset < from || (isBlock(node) && from === 0) || (offset > node.end && !isBehind))
        continue;
      if (offset === node.end && part.text[offset - 1] === '\n') continue;
      if (isBelowBlock(part.text, node, offset)) continue;
      const scalar = isBehind
        ? new ScalarText(part.text, { ...node, end: offset })
        : part.scalar(node);
      return { document, part, policy, view, scalar, at: placeWithin(scalar, offset) };
    }
  }
  return undefined;
}

/** A stretch of an expression's text as a range of its file. */
export function rangeIn(
  { document, part, scalar }: Pick<ExpressionAt, 'document' | 'part' | 'scalar'>,
  { start, end }: { readonly start: number; readonly end: number },
): Range {
  return document.range(part, scalar.toDocument(start), scalar.toDocument(end));
}

/** For a position in trailing space that a block drops, the end of the text. */
function placeWithin(scalar: ScalarText, offset: number): number {
  const at = scalar.toValue(offset);
  const end = trimRight(scalar.value, '\n').length;
  return Math.min(at, Math.max(end, 0));
}
