import type { ServiceContext } from '../service-context.ts';
import type { Position } from '../text/text-lines.ts';
import type { Hover } from '../workspace/protocol.ts';
import type { TextDocument } from '../workspace/text-document.ts';
import { expressionAt } from './expression-at.ts';
import { hoverExpression } from './hover-expression.ts';
import { hoverYaml } from './hover-yaml.ts';
import { valueAt } from './value-at.ts';

/** Describes a position of a file; for an expression with its values for examples. */
export async function hover(
  context: ServiceContext,
  document: TextDocument,
  position: Position,
): Promise<Hover | undefined> {
  const found = expressionAt(document, position);
  if (found === undefined) return hoverYaml(context, document, position);
  const known = hoverExpression(context, found);
  const value = known && (await valueAt(context, found));
  if (known === undefined || value === undefined) return known;
  const contents = { ...known.contents, value: `${known.contents.value}\n\n${value}` };
  return { ...known, contents };
}
