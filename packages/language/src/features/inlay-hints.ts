import { objectsOf } from '../policy/object-view.ts';
import { policiesIn } from '../policy/policy-view.ts';
import type { ServiceContext } from '../service/service-context.ts';
import { codeSpan, escapeMarkdown } from '../text/markdown.ts';
import { type Shown, shownIn } from '../values/example-values.ts';
import type { Part } from '../workspace/part.ts';
import type { InlayHint } from '../workspace/protocol.ts';
import type { TextDocument } from '../workspace/text-document.ts';

const mostHints = 4;

/** Shows the results for the examples, and their costs, next to each validation, message and mutation. */
export async function inlayHints(
  context: ServiceContext,
  document: TextDocument,
): Promise<readonly InlayHint[]> {
  const hints: InlayHint[] = [];
  for (const part of document.parts) {
    const shown = await shownIn(context, document, part);
    if (shown.length === 0) continue;
    for (const object of objectsOf(part)) {
      for (const policy of policiesIn(object)) {
        for (const { field, node, role } of policy.expressions) {
          const own = shown.filter(
            (each) => each.policy === object.name && each.expression.path === field,
          );
          if (own.length === 0) continue;
          const end = headEnd(part, node.start, node.end);
          hints.push({
            position: document.lines.positionAt(part.start + end),
            label: hintLabel(own, role === 'validation'),
            tooltip: { kind: 'markdown', value: own.map(tooltipLine).join('\n') },
            paddingLeft: true,
          });
        }
      }
    }
  }
  return hints;
}

/** The end of the line in which an expression begins. */
function headEnd({ text }: Part, start: number, end: number): number {
  const newline = text.indexOf('\n', start);
  return newline === -1 || newline > end ? end : newline;
}

function hintLabel(shown: readonly Shown[], isValidation: boolean): string {
  const texts = new Map<string, string>();
  for (const each of shown) {
    // If rules have several values for an object, the failing one is shown.
    const known = each.about === undefined ? undefined : texts.get(each.title);
    const text = hintText(each, isValidation);
    const key = each.about === undefined ? `${texts.size}` : each.title;
    if (known === undefined || known.startsWith('✓')) texts.set(key, text);
  }
  const more = texts.size > mostHints ? ` +${texts.size - mostHints}` : '';
  const cost = Math.max(...shown.map(({ expression }) => Number(expression.cost)));
  return `${[...texts.values()].slice(0, mostHints).join(' ')}${more} · cost ${cost}`;
}

function hintText({ expression, title }: Shown, isValidation: boolean): string {
  const name = title.split(' ').at(-1) ?? '';
  if (expression.error !== undefined) return `⚠ ${name}`;
  if (isValidation || expression.value === 'true' || expression.value === 'false') {
    return `${expression.value === 'true' ? '✓' : '✗'} ${name}`;
  }
  const value = expression.value ?? '';
  return `${name}: ${value.length > 40 ? `${value.slice(0, 39)}…` : value}`;
}

function tooltipLine({ expression, title, file, params, about }: Shown): string {
  const result =
    expression.error === undefined
      ? codeSpan(expression.value ?? '')
      : `error: ${escapeMarkdown(expression.error)}`;
  const place = about === undefined ? '' : `, ${about}`;
  const parameter = params === undefined ? '' : ` with ${params}`;
  const where = escapeMarkdown(`${title}${place} (${file})${parameter}`);
  return `- ${where}: ${result}, cost ${expression.cost}`;
}
